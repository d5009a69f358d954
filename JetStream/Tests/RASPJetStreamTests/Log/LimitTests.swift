import NIOCore
import RASPJournal
import RASPLogs
import RASPNATS
import ServerSupport
import Testing

@testable import RASPJetStream

@Suite(
  "What a log in JetStream refuses, and what it takes",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct LimitTests {
  private func reason(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "nothing was refused"
    } catch LogError.refused(_, _, let reason) {
      return reason
    } catch {
      return "\(error)"
    }
  }

  @Test("an entry that is larger than the server takes is refused, and others are not")
  func maxPayload() async throws {
    let server = try await NATSServer.start(configuration: "max_payload: 10000")
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 1, options: .quick)
    let large = String(repeating: "x", count: 20_000)
    #expect(await reason { try await log.append(["a", large], to: 0) }.contains("`max_payload`"))
    #expect(try await log.newest(in: 0) == 0)
    let entries = (0..<20).map { "\($0)" + String(repeating: "x", count: 9_000) }
    #expect(try await log.append(entries, to: 0) == 20)
    #expect(try await read(20, from: log) == entries)
    // A record of any size is taken: in parts.
    let rows = (0..<50_000).map { UInt8(truncatingIfNeeded: $0) }
    let revision = try await log.commit(rows, at: 20, to: 0, replacing: .none)
    #expect(try await log.committed(0) == LogRecord(rows: rows, offset: 20, revision: revision))
    try await log.close()
  }

  @Test("a full partition refuses entries and says what to do, and keeps what it has", arguments: LogServer.available)
  func maxBytes(kind: LogServer) async throws {
    let server = try await kind.start()
    var options = JetStreamOptions.quick
    options.maxBytes = 20_000
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 1, options: options)
    let entry = String(repeating: "x", count: 1_000)
    var count = 0
    let refusal = await reason {
      while count < 40 {
        try await log.append([entry], to: 0)
        count += 1
      }
    }
    #expect(refusal.contains("`maxBytes`"))
    #expect(count > 5 && count < 20)
    #expect(await reason { try await log.append([entry, entry, entry], to: 0) }.contains("`maxBytes`"))
    #expect(try await read(count, from: log).count == count)
    try await log.close()
  }

  @Test("the number of partitions cannot change, and a name must be one")
  func opening() async throws {
    let server = try await NATSServer.start()
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 3, options: .quick)
    #expect(log.partitions == 3)
    try await log.append(["a"], to: 2)
    await #expect {
      try await JetStreamLog<String>(server.url, name: "log", partitions: 4)
    } throws: { error in
      if case LogError.partitionCount("log", 3, 4) = error { true } else { false }
    }
    let same = try await JetStreamLog<String>(server.url, name: "log")
    #expect(same.partitions == 3)
    #expect(try await same.newest(in: 2) == 1)
    #expect(await reason { _ = try await JetStreamLog<String>(server.url, name: "a.b") }.contains("letters"))
    try await same.close()
    try await log.close()
  }

  @Test("a log that several open at once is made once")
  func openedAtOnce() async throws {
    let server = try await NATSServer.start()
    let counts = await withTaskGroup(of: Int?.self) { group in
      for partitions in [2, 3, 2, 3] {
        group.addTask {
          let log = try? await JetStreamLog<String>(server.url, name: "log", partitions: partitions, options: .quick)
          _ = try? await log?.append(["a"], to: 1)
          try? await log?.close()
          return log?.partitions
        }
      }
      return await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
    }
    #expect(counts.count == 2 && Set(counts).count == 1)
  }

  @Test("what is published to the subjects of a partition is an entry", arguments: LogServer.available)
  func published(kind: LogServer) async throws {
    let configuration = #"mappings = { "sensors.*": "log.{{partition(4,1)}}.{{wildcard(1)}}" }"#
    let server = try await kind.start(configuration: configuration)
    let log = try await JetStreamLog<Reading>(server.url, name: "log", partitions: 4, options: .quick)
    let sensors = try await Sensors.opened(on: log)
    let client = try await NATSClient.connect(to: server.url)
    let readings = (0..<40).map { Reading(sensor: "sensor-\($0 % 10)", value: $0) }
    for reading in readings {
      let json = #"{"sensor":"\#(reading.sensor)","value":\#(reading.value)}"#
      try await client.publish(ByteBuffer(string: json), to: "sensors.\(reading.sensor)")
    }
    let rows = folding(readings)
    try await eventually("the readings are folded") { sensors.rows() == rows }
    // The answer tells that it is there.
    _ = try await client.request(ByteBuffer(string: "no JSON"), to: "log.0")
    // What is before it is read all the same.
    let good = try await log.newest(in: 0) - 1
    var offset = 0
    await #expect {
      for try await batch in log.entries(of: 0, after: 0) {
        #expect(batch.entries.map(\.offset) == Array(offset + 1...batch.offsets.upperBound))
        offset = batch.offsets.upperBound
      }
    } throws: { error in
      if case LogError.unreadable(_, 0, good + 1, _) = error { true } else { false }
    }
    #expect(offset == good)
    await client.close()
    await sensors.shutdown(within: .seconds(600))
    try await log.close()
  }

  @Test("entries of an older version are read with their version")
  func versions() async throws {
    let server = try await NATSServer.start()
    let first = Coding<String>.codable(version: 1, named: "Line")
    let second = Coding<String>.codable(version: 2, named: "Line")
      .reading(version: 1, with: first, named: "Line") { $0.isEmpty ? [] : ["old \($0)"] }
    let old = try await JetStreamLog(server.url, name: "log", partitions: 1, coding: first, options: .quick)
    try await old.append(["a", "", "b"], to: 0)
    try await old.close()
    let new = try await JetStreamLog(server.url, name: "log", coding: second, options: .quick)
    try await new.append(["c"], to: 0)
    try await new.append(["d", "e"], to: 0)
    #expect(try await read(5, from: new) == ["old a", "old b", "c", "d", "e"])
    try await new.close()
    // A coding that knows only the first version names the one that it does not know.
    let late = try await JetStreamLog(server.url, name: "log", coding: first, options: .quick)
    await #expect {
      _ = try await read(1, after: 3, from: late)
    } throws: { error in
      if case LogError.unreadable(_, 0, _, let reason) = error { reason.version == 2 } else { false }
    }
    try await late.close()
  }
}
