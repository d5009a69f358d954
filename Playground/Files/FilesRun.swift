import Foundation
import RASPJournal

/// Looks at the files of journals, logs and recordings without the types of their values, and makes others of them.
struct FilesRun: ScenarioRun {
  let verb: FilesVerb
  let path: String
  let json: Bool
  /// The options of single verbs.
  var places = FilesPlaces()

  func run(output: Output) async throws(RunFailure) {
    let folders = try found()
    switch verb {
    case .list:
      for file in folders.flatMap(\.files) { output.line(StoredFileLine(file, file.read()).text(json)) }
      for problem in folders.flatMap(\.problems) { output.line(ProblemLine(problem).text(json)) }
    case .verify: try verify(folders, output)
    case .dump:
      for file in folders.flatMap(\.files) {
        let summary = file.read { output.line(StoredValueLine($0, in: file).json) }
        if let failure = summary.failure { throw RunFailure(failure, status: .noInput) }
      }
      if let problem = folders.flatMap(\.problems).first { throw RunFailure(.noInput, problem.reason) }
    case .export: try FilesExport(folders, at: path, places).run(output)
    case .cut: try cut(folders, output)
    }
  }

  private func cut(_ folders: [StoredFolder], _ output: Output) throws(RunFailure) {
    guard let place = places.at, let target = places.out else {
      throw .usage("files cut needs --at and --out, as in files cut journal --at 1204 --out copy")
    }
    try place.check(folders, at: path)
    let ends: [Int]
    do throws(JournalError) {
      ends = try StoredFolder.copy(folders, at: path, to: target, endingAt: place)
    } catch {
      throw RunFailure(error, status: .ioError)
    }
    for (folder, end) in zip(folders, ends) {
      let copy = folder.path == path ? target : "\(target)/\(folder.path.dropFirst(path.count + 1))"
      output.line(
        json ? jsonText(CutLine(path: copy, event: end)) : "\(copy.printable) ends behind event \(end), and was closed"
      )
    }
  }

  private func verify(_ folders: [StoredFolder], _ output: Output) throws(RunFailure) {
    var problems: [StoredFolder.Problem] = []
    var events = 0
    var closings: [Bool] = []
    for folder in folders {
      let verdict = folder.verify { events += $1.events }
      problems += verdict.problems
      if let isClosed = verdict.isClosed { closings.append(isClosed) }
    }
    for problem in problems { output.line(ProblemLine(problem).text(json)) }
    guard problems.isEmpty else {
      throw RunFailure(
        .noInput,
        "\(problems.count == 1 ? "a problem" : "\(problems.count) problems") in \(path.quoted); bring back a copy, or repair it with the program that wrote it"
      )
    }
    let count = folders.flatMap(\.files).count
    let isClosed = closings.allSatisfy { $0 }
    if json {
      let closing = closings.isEmpty ? "" : "\"closed\":\(isClosed),"
      output.line("{\(closing)\"events\":\(events),\"files\":\(count)}")
    } else {
      let closing = closings.isEmpty ? "" : isClosed ? "; it was closed" : "; it was not closed, or is open"
      output.line("\(count) files are whole, with \(events) events\(closing)")
    }
  }

  private func found() throws(RunFailure) -> [StoredFolder] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw RunFailure(.noInput, "there is nothing at \(path.quoted); name a file or a folder that is there")
    }
    do throws(JournalError) {
      if !isFolder.boolValue { return [StoredFolder(try StoredFile(path))] }
      let folders = try StoredFolder.all(at: path)
      if !folders.isEmpty { return folders }
    } catch {
      throw RunFailure(error, status: .noInput)
    }
    throw RunFailure(.noInput, "\(path.quoted) has no files of a journal or a log; name a folder that one has written")
  }
}

/// What is written of a copy that was cut.
private struct CutLine: Encodable {
  let path: String
  let event: Int
}
