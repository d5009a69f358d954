import Foundation
import RASPLogs
import RASPLogsTesting
import RASPTesting
import Streams
import TestSupport
import Testing

/// Calls `body` with the path of a folder that is not there, and removes it.
func inNewFolder(_ body: (String) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "RASPJournalTests-\(UUID().uuidString)").path
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}

@Suite("What every log must do", .endsInTime)
struct LogLawTests {
  @Test("LOG-01: a log in memory", arguments: LogLaw.allCases)
  func memory(law: LogLaw) async throws {
    let log = Lock(MemoryLog<String>(partitions: LogLaw.partitions))
    let storage = LogStorage {
      let copied = log.withLock { $0 }
      let newest = try await newestEntries(of: copied.reopened())
      return {
        // What was deleted and made anew is another log.
        if newest.allSatisfy({ $0 == 0 }) { return log.withLock { $0 = MemoryLog(partitions: LogLaw.partitions) } }
        for (partition, newest) in newest.enumerated() { copied.goBack(partition, to: newest) }
      }
    }
    try await law.check(on: storage) { log.withLock { $0.reopened() } }
  }

  private func newestEntries(of log: MemoryLog<String>) async throws -> [Int] {
    var newest: [Int] = []
    for partition in 0..<log.partitions { newest.append(try await log.newest(in: partition)) }
    return newest
  }

  // As it stands in the documentation of the kit.

  @Test("the log keeps the law", arguments: LogLaw.allCases)
  func law(_ law: LogLaw) async throws {
    try await inNewFolder { folder in
      try await law.check { try FileLog<String>(at: folder, partitions: LogLaw.partitions) }
    }
  }

  @Test("LOG-01: a log in files, of which an older copy is put back", arguments: LogLaw.allCases)
  func restoredFiles(law: LogLaw) async throws {
    try await inNewFolder { folder in
      let storage = LogStorage {
        let (files, copy) = (FileManager.default, "\(folder)-copy-\(UUID().uuidString)")
        let isThere = files.fileExists(atPath: folder)
        if isThere { try files.copyItem(atPath: folder, toPath: copy) }
        return {
          try FileManager.default.removeItem(atPath: folder)
          if isThere { try FileManager.default.moveItem(atPath: copy, toPath: folder) }
        }
      }
      try await law.check(on: storage) { try FileLog<String>(at: folder, partitions: LogLaw.partitions) }
    }
  }

  @Test("LOG-01: a log in files that the system syncs when it likes", arguments: LogLaw.allCases)
  func unsyncedFiles(law: LogLaw) async throws {
    try await inNewFolder { folder in
      try await law.check {
        try FileLog<String>(at: folder, partitions: LogLaw.partitions, syncing: .bySystem)
      }
    }
  }

  @Test("LOG-01: a faulty log that has no faults", arguments: LogLaw.allCases)
  func faultless(law: LogLaw) async throws {
    let log = MemoryLog<String>(partitions: LogLaw.partitions)
    try await law.check { FaultyLog(log.reopened(), seed: 1, faults: .never, on: VirtualScheduler()) }
  }

  @Test(
    "the laws find what is broken",
    arguments: [
      (LogLaw.completeBatches, \LogFaults.repeats), (.completeBatches, \.gaps), (.fencing, \.depositions),
      (.restart, \.lostRequests),
    ] as [(LogLaw, WritableKeyPath<LogFaults, Double> & Sendable)]
  )
  func broken(law: LogLaw, fault: any WritableKeyPath<LogFaults, Double> & Sendable) async throws {
    var faults = LogFaults()
    faults[keyPath: fault] = 1
    let (log, broken) = (MemoryLog<String>(partitions: LogLaw.partitions), faults)
    await #expect(throws: (any Error).self) {
      try await law.check { FaultyLog(log.reopened(), seed: 1, faults: broken, on: VirtualScheduler()) }
    }
  }
}
