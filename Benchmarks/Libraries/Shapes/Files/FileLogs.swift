import Foundation
import RASPJournal
import RASPLogs

extension Shape {
  /// Entries are appended to a log in files by so many tasks at once, each of which waits until its entry is on the
  /// medium.
  static func fileLogAppended(callers: Int) -> Shape {
    Shape(events: max(20 * callers, 200)) { count in
      let folder = temporaryFolder()
      let log = try FileLog<[UInt8]>(at: folder, coding: .raw)
      try await log.append([entry], to: 0)
      return Run {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<callers {
            group.addTask {
              for _ in 0..<count / callers { try await log.append([entry], to: 0) }
            }
          }
          try await group.waitForAll()
        }
      } proofs: {
        let newest = try await log.newest(in: 0)
        try await log.close()
        try FileManager.default.removeItem(atPath: folder)
        return [Proof("entries in the log", newest, is: 1 + count / callers * callers)]
      }
    }
  }

  /// The same entries are written into a file by hand, and each is synced.
  static let bareSynced = Shape(events: 200) { count in
    let file = SyncedFile(temporaryFolder())
    let tally = Tally()
    return Run {
      for _ in 0..<count where file?.append(entry) == true { tally.increment() }
    } proofs: {
      [Proof("entries on the medium", tally.count, is: count)]
    }
  }
}

extension Coding<[UInt8]> {
  fileprivate static var raw: Coding {
    Coding(version: 1, named: "Entry") { entry, bytes in
      bytes.append(contentsOf: entry)
    } decode: { bytes in
      try bytes.readBytes(bytes.remaining)
    }
  }
}

private let entry = [UInt8](repeating: 7, count: 60)

private func temporaryFolder() -> String {
  FileManager.default.temporaryDirectory.appending(path: "log-\(UUID().uuidString)").path
}
