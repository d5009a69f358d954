import Foundation
import RASPJournal

/// Writes the events of a range, or all, as lines of JSON, to the output or into a file.
struct FilesExport {
  private let folders: [StoredFolder]
  private let path: String
  private let places: FilesPlaces

  init(_ folders: [StoredFolder], at path: String, _ places: FilesPlaces) throws(RunFailure) {
    for place in [places.from, places.until] { try place?.check(folders, at: path) }
    (self.folders, self.path, self.places) = (folders, path, places)
  }

  func run(_ output: Output) throws(RunFailure) {
    guard let target = places.out else { return try write(to: output) }
    let file = open(target, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    guard file >= 0 else {
      let reason = RunFailure.reason(forError: errno)
      throw RunFailure(.ioError, "cannot make \(target.quoted): \(reason); name a file that is not there")
    }
    defer { close(file) }
    do throws(RunFailure) {
      try write(to: Output(descriptor: file))
    } catch {
      // What is there is not all that was asked for.
      unlink(target)
      throw error
    }
  }

  private func write(to output: Output) throws(RunFailure) {
    for folder in folders {
      if let problem = folder.problems.first { throw RunFailure(.noInput, problem.reason) }
      for file in folder.files where file.content != .snapshot {
        let summary = file.read { value in
          guard let number = value.number, let time = value.time, places.contain(number, time) else { return }
          output.line(StoredValueLine(value, in: file, of: folder.path == path ? nil : folder.path).json)
        }
        if let failure = summary.failure { throw RunFailure(failure, status: .noInput) }
      }
    }
  }
}
