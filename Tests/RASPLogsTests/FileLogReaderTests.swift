import Foundation
import JournalTestSupport
import TestSupport
import Testing

@testable import RASPJournal
@testable import RASPLogs

@Suite("A log in files that is only read", .endsInTime)
struct FileLogReaderTests {
  private func read(_ disk: any FileSystem) throws(LogError) -> FileLogReader<String> {
    try FileLogReader(JournalFolder(path: "log", system: disk), coding: .codable)
  }

  private func entries(_ log: FileLogReader<String>, of partition: Int, after offset: Int = 0) async throws -> [String]
  {
    var found: [String] = []
    for try await batch in log.entries(of: partition, after: offset) { found += batch.entries.map(\.entry) }
    return found
  }

  @Test("LOG-26: entries and records are those of the moment, also while the log is open, and nothing is changed")
  func reading() async throws {
    let disk = SimulatedDisk()
    var setup = JournalSetup()
    setup.clock = .numbered(disk)
    let log = try FileLog<String>(at: "log", partitions: 2, coding: .codable, setup, on: disk)
    try await log.append(["a", "b", "c"], to: 0)
    let revision = try await log.commit([1, 2], at: 2, to: 0, replacing: .none)
    let sealed = WatchedDisk(SimulatedDisk(disk.contents)) { call, path in Issue.record("\(call) of \(path)") }
    for system in [disk, sealed] as [any FileSystem] {
      let reader = try read(system)
      #expect(reader.partitions == 2 && reader.name == "log")
      #expect(try reader.newest(in: 0) == 3)
      #expect(try reader.newest(in: 1) == 0)
      #expect(try await entries(reader, of: 0) == ["a", "b", "c"])
      #expect(try await entries(reader, of: 0, after: 2) == ["c"])
      #expect(try await entries(reader, of: 1) == [])
      let record = try reader.committed(0)
      #expect(record.rows == [1, 2] && record.offset == 2 && record.revision == revision)
      #expect(try reader.committed(1) == .none)
      #expect(throws: LogError.self) { try reader.newest(in: 2) }
      await #expect(throws: LogError.self) { try await entries(reader, of: 2) }
    }
    let before = try read(disk)
    try await log.append(["d"], to: 0)
    #expect(try await entries(before, of: 0) == ["a", "b", "c"])
    await #expect(throws: LogError.self) { try await entries(before, of: 0, after: 4) }
    try await log.close()
    #expect(try await entries(try read(disk), of: 0) == ["a", "b", "c", "d"])
  }

  @Test("LOG-26: what is not there is not made")
  func missing() throws {
    #expect(throws: LogError.self) { try FileLogReader<String>(at: "/tmp/there is no such log") }
    #expect(!FileManager.default.fileExists(atPath: "/tmp/there is no such log"))
  }
}
