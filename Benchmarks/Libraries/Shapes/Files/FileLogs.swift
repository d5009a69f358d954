import Foundation
import RASPJournal
import RASPLogs
import SyncedFile

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

extension Shape {
  /// Entries are appended to a log in files by so many tasks at once, each of which waits until its entry is on the
  /// medium.
  static func fileLogAppended(callers: Int) -> Shape {
    Shape("file-log-appended-by-\(callers)", events: 20 * callers) { count in
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
  static let bareSynced = Shape("bare-written-and-synced", events: 200) { count in
    let file = SyncedFile(temporaryFolder())
    let tally = Tally()
    return Run {
      for _ in 0..<count where file?.append(entry) == true { tally.increment() }
    } proofs: {
      [Proof("entries on the medium", tally.count, is: count)]
    }
  }

  /// A log is read from the memory in which the system keeps files.
  static let fileLogReplayed = Shape("file-log-replayed", events: 200_000) { count in
    let folder = temporaryFolder()
    let log = try FileLog<[UInt8]>(at: folder, coding: .raw)
    try await log.append(Array(repeating: entry, count: count), to: 0)
    let tally = Tally()
    return Run {
      var left = count
      var batches = log.entries(of: 0, after: 0).makeAsyncIterator()
      while left > 0, let batch = try await batches.next() {
        left -= batch.entries.count
        tally.increment(by: batch.entries.count)
      }
    } proofs: {
      try await log.close()
      try FileManager.default.removeItem(atPath: folder)
      return [Proof("entries read", tally.count, is: count)]
    }
  }

  /// The same bytes are read from a file by hand.
  static let bareRead = Shape("bare-read", events: 200_000) { count in
    let path = temporaryFolder()
    try Data(Array(repeating: entry, count: count).joined()).write(to: URL(filePath: path))
    let tally = Tally()
    return Run {
      let file = open(path, O_RDONLY)
      defer { close(file) }
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let size = read(file, &bytes, bytes.count)
        if size <= 0 { break }
        for first in stride(from: 0, to: size, by: entry.count) {
          let part = Array(bytes[first..<min(size, first + entry.count)])
          tally.increment(by: part.count)
        }
      }
    } proofs: {
      try FileManager.default.removeItem(atPath: path)
      return [Proof("bytes read", tally.count, is: count * entry.count)]
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
