import Foundation
import RASPJournal
import RASPLogs
import RASPLogsTesting
import RASPTesting
import TestSupport
import Testing

@Suite("The folders of a log in files", .endsInTime)
struct FileLogFolderTests {
  private func expectRefused(_ folder: String, naming word: String, partitions: Int? = nil) {
    let error = #expect(throws: LogError.self) { try FileLog<String>(at: folder, partitions: partitions) }
    guard case .refused(_, _, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(word), "\(reason)")
  }

  private func write(_ folder: String, partitions: Int) async throws {
    let log = try FileLog<String>(at: folder, partitions: partitions)
    try await log.append(["a", "b"], to: 0)
    try await log.close()
  }

  @Test("LOG-22: a partition's folder that is missing is an error that names it, and no empty partition")
  func missing() async throws {
    try await inNewFolder { folder in
      try await write(folder, partitions: 3)
      let files = FileManager.default
      try files.moveItem(atPath: "\(folder)/1-of-3", toPath: "\(folder)/elsewhere")
      expectRefused(folder, naming: "1-of-3")
      #expect(!files.fileExists(atPath: "\(folder)/1-of-3"))
      try files.moveItem(atPath: "\(folder)/elsewhere", toPath: "\(folder)/1-of-3")
      let log = try FileLog<String>(at: folder)
      #expect(try await log.newest(in: 0) == 2)
      try await log.close()
    }
  }

  @Test("LOG-25: a partition of a log that was closed is refused when it is too short, cut at any byte")
  func short() async throws {
    try await inNewFolder { folder in
      try await write(folder, partitions: 2)
      let segment = URL(filePath: "\(folder)/0-of-2/00000000000000000001.events")
      let bytes = try Data(contentsOf: segment)
      for length in bytes.indices {
        try bytes.prefix(length).write(to: segment)
        let error = #expect(throws: LogError.self) { try FileLog<String>(at: folder) }
        guard case .files? = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      try bytes.write(to: segment)
      let log = try FileLog<String>(at: folder)
      #expect(try await log.newest(in: 0) == 2)
      try await log.close()
    }
  }

  @Test("LOG-22: a log that was being made when the process ended is made to the end")
  func halfMade() async throws {
    try await inNewFolder { folder in
      try FileManager.default.createDirectory(atPath: "\(folder)/0-of-3", withIntermediateDirectories: true)
      let log = try FileLog<String>(at: folder)
      #expect(log.partitions == 3)
      try await log.close()
    }
  }

  @Test("LOG-22: folders of another count are refused", arguments: ["0-of-4", "0-of-1000000000"])
  func another(name: String) async throws {
    try await inNewFolder { folder in
      try await write(folder, partitions: 1)
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      expectRefused(folder, naming: "folders of 1 partitions and of")
      try FileManager.default.removeItem(atPath: "\(folder)/0-of-1")
      if name == "0-of-1000000000" { expectRefused(folder, naming: "at most 65536") }
    }
  }

  @Test("a log has at least one partition, and the folder stays empty otherwise", arguments: [0, -1, 65_537])
  func counts(partitions: Int) async throws {
    try await inNewFolder { folder in
      expectRefused(folder, naming: "at least one", partitions: partitions)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names.filter { $0 != "lock" } == [])
    }
  }

  @Test("LOG-23: what two records have is deleted when the second one is committed, also without a large segment")
  func freed() async throws {
    try await inNewFolder { folder in
      let log = try FileLog<String>(at: folder, keeping: .sinceSnapshots)
      func segments() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/0-of-1").filter { $0.hasSuffix("events") }.count
      }
      var revision = LogRevision.none
      for round in 1...6 {
        let newest = try await log.append((0..<200).map { "\($0) " + String(repeating: "x", count: 1_000) }, to: 0)
        let identity = try await log.identity(of: newest, in: 0)
        revision = try await log.commit([1], at: newest, identified: identity, to: 0, replacing: revision)
        #expect(try segments() <= 3, "round \(round)")
      }
      let record = try await log.committed(0)
      #expect(record.offset == 1_200)
      try await log.append(["last"], to: 0)
      var batches = log.entries(of: 0, after: 1_200, identified: record.identity).makeAsyncIterator()
      let batch = try await batches.next()
      #expect(batch?.entries.map(\.entry) == ["last"])
      try await log.close()
    }
  }

  // The law of restarts reads all entries again.
  @Test("LOG-01: a log that deletes what its record has", arguments: LogLaw.allCases.filter { $0 != .restart })
  func deleting(law: LogLaw) async throws {
    try await inNewFolder { folder in
      try await law.check {
        try FileLog<String>(at: folder, partitions: LogLaw.partitions, keeping: .sinceSnapshots)
      }
    }
  }
}
