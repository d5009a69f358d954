import Foundation
import NIOCore
import RASPLogs
import RASPNATS
import ServerSupport
import Testing

@testable import RASPJetStream

@Suite(
  "When servers fail",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct ServerFailureTests {
  @Test("a server that is killed while entries are appended loses none that was acknowledged, and doubles none")
  func killed() async throws {
    let server = try await NATSServer.start()
    let log = try await JetStreamLog<Reading>(server.url, name: "log", partitions: 2, options: .quick)
    let sensors = try await Sensors.opened(on: log, orAfter: 40)
    let writers = Task {
      try await withThrowingTaskGroup(of: [Reading].self) { group in
        for sensor in 0..<4 {
          group.addTask {
            var readings: [Reading] = []
            for call in 0..<60 {
              let next = (0...call % 3).map { Reading(sensor: "\(sensor)", value: call * 3 + $0) }
              try await sensors.append(contentsOf: next)
              readings += next
            }
            return readings
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
    for offset in [10, 40] {
      try await eventually("entries are appended") { try await log.newest(in: 0) + log.newest(in: 1) > offset }
      server.kill()
      try await server.restart()
    }
    let readings = try await writers.value
    #expect(try await sensors.hasAll(of: log))
    #expect(sensors.rows() == folding(readings))
    await sensors.shutdown(within: .seconds(600))
    // What another process folds from the record is the same. It has all partitions when it has heard that the owner
    // before has left.
    let next = try await Sensors.opened(on: log)
    try await eventually("the next owner has the same rows") { next.rows() == folding(readings) }
    await next.shutdown(within: .seconds(600))
    try await log.close()
  }

  @Test("a reader that waits goes on after its server was killed, and after its consumer was deleted")
  func reader() async throws {
    let server = try await NATSServer.start()
    let log = try await JetStreamLog<Reading>(server.url, name: "log", partitions: 1, options: .quick)
    var batches = log.entries(of: 0, after: 0).makeAsyncIterator()
    try await log.append([Reading(sensor: "a", value: 1)], to: 0)
    #expect(try await batches.next()?.entries.map(\.entry.value) == [1])
    server.kill()
    try await server.restart()
    try await log.append([Reading(sensor: "a", value: 2)], to: 0)
    #expect(try await batches.next()?.entries.map(\.entry.value) == [2])
    let client = try await NATSClient.connect(to: server.url)
    let answer = try await client.request(ByteBuffer(), to: "$JS.API.CONSUMER.NAMES.log-0")
    let names = String(buffer: answer.payload).split(separator: "[").last?.split(separator: "\"").first ?? ""
    _ = try await client.request(ByteBuffer(), to: "$JS.API.CONSUMER.DELETE.log-0.\(names)")
    try await log.append([Reading(sensor: "a", value: 3)], to: 0)
    #expect(try await batches.next()?.entries.map(\.entry.value) == [3])
    await client.close()
    try await log.close()
  }

  @Test("an older store in place of the present one is noticed: by a process that has seen more, and by a record")
  func olderStore() async throws {
    let server = try await NATSServer.start()
    let stream = server.store.appending(path: "jetstream/$G/streams/log-0")
    let older = server.folder.appending(path: "older")
    let log = try await JetStreamLog<Reading>(server.url, name: "log", partitions: 1, options: .quick)
    let sensors = try await Sensors.opened(on: log, as: "first")
    try await sensors.append(Reading(sensor: "a", value: 1))
    await server.stop()
    try FileManager.default.copyItem(at: stream, to: older)
    try await server.restart()
    for value in 2...5 { try await sensors.append(Reading(sensor: "a", value: value)) }
    #expect(try await sensors.hasAll(of: log))
    await sensors.shutdown(within: .seconds(600))
    // Otherwise its partition would stay with it for a lease, and the next owner would have none.
    let client = try await NATSClient.connect(to: server.url)
    try await eventually("the first owner has left") {
      let member = (try? LogNames("log"))?.member("first") ?? ""
      let newest = try await JetStream(client: client).newest(of: member, in: "KV_log-members")
      return newest?.isRemoved ?? true
    }
    await client.close()
    await server.stop()
    try FileManager.default.removeItem(at: stream)
    try FileManager.default.moveItem(at: older, to: stream)
    try await server.restart()
    func expectWentBack(_ body: () async throws -> Void) async {
      await #expect {
        try await body()
      } throws: { error in
        if case LogError.wentBack("log", 0, 1, 5) = error { true } else { false }
      }
    }
    await expectWentBack { _ = try await log.newest(in: 0) }
    await expectWentBack { for try await _ in log.entries(of: 0, after: 1) {} }
    try await log.close()
    let other = try await JetStreamLog<Reading>(server.url, name: "log", options: .quick)
    await expectWentBack { _ = try await Sensors.owned(on: other) }
    await expectWentBack { for try await _ in other.entries(of: 0, after: 5) {} }
    try await other.close()
  }

  @Test("entries that were purged are missing, and those that were deleted inside a stream are passed over")
  func removed() async throws {
    let server = try await NATSServer.start()
    let log = try await JetStreamLog<Reading>(server.url, name: "log", partitions: 1, options: .quick)
    for value in 1...4 { try await log.append([Reading(sensor: "a", value: value)], to: 0) }
    let client = try await NATSClient.connect(to: server.url)
    _ = try await client.request(ByteBuffer(string: #"{"seq":2}"#), to: "$JS.API.STREAM.MSG.DELETE.log-0")
    func expectMissing(_ offset: Int, after start: Int) async {
      await #expect {
        for try await _ in log.entries(of: 0, after: start) {}
      } throws: { error in
        if case LogError.missing("log", 0, offset) = error { true } else { false }
      }
    }
    for start in [0, 1] {
      var batches = log.entries(of: 0, after: start).makeAsyncIterator()
      var offsets: [Int] = []
      while offsets.last != 4, let batch = try await batches.next() { offsets += Array(batch.offsets) }
      #expect(offsets == (start == 0 ? [1, 3, 4] : [3, 4]))
    }
    #expect(try await log.deleted(1...4, of: 0) == [2...2])
    #expect(try await read(2, after: 2, from: log).map(\.value) == [3, 4])
    _ = try await client.request(ByteBuffer(string: #"{"seq":4}"#), to: "$JS.API.STREAM.PURGE.log-0")
    await expectMissing(3, after: 2)
    #expect(try await read(1, after: 3, from: log).map(\.value) == [4])
    await client.close()
    try await log.close()
  }

  @Test("a deleted stream is an error that says so, and is not made again")
  func deletedStream() async throws {
    let server = try await NATSServer.start()
    let log = try await JetStreamLog<Reading>(server.url, name: "log", partitions: 1, options: .quick)
    let client = try await NATSClient.connect(to: server.url)
    try await log.append([Reading(sensor: "a", value: 1)], to: 0)
    _ = try await client.request(ByteBuffer(), to: "$JS.API.STREAM.DELETE.log-0")
    func isRefused(_ error: any Error) -> Bool {
      if case LogError.refused(_, 0, let reason) = error { reason.contains("not in JetStream") } else { false }
    }
    await #expect(performing: { try await log.append([Reading(sensor: "a", value: 1)], to: 0) }, throws: isRefused)
    await #expect(performing: { try await log.newest(in: 0) }, throws: isRefused)
    await #expect(performing: { for try await _ in log.entries(of: 0, after: 0) {} }, throws: isRefused)
    await #expect {
      for try await _ in log.entries(of: 0, after: 1) {}
    } throws: { error in
      if case LogError.wentBack(_, 0, 0, 1) = error { true } else { false }
    }
    try await log.close()
    let other = try await JetStreamLog<Reading>(server.url, name: "log", options: .quick)
    await #expect(performing: { try await other.newest(in: 0) }, throws: isRefused)
    await client.close()
    try await other.close()
  }

  @Test("without a server a call says so when its time is over, and goes on when the server is there again")
  func noServer() async throws {
    let server = try await NATSServer.start()
    var options = JetStreamOptions.quick
    options.timeLimit = .seconds(3)
    let log = try await JetStreamLog<Reading>(server.url, name: "log", partitions: 1, options: options)
    await server.stop()
    for body in [{ _ = try await log.newest(in: 0) }, { _ = try await log.committed(0) }] as [() async throws -> Void] {
      await #expect {
        try await body()
      } throws: { error in
        if case LogError.unavailable = error { true } else { false }
      }
    }
    await #expect {
      try await log.append([Reading(sensor: "a", value: 1)], to: 0)
    } throws: { error in
      (error as? LogError)?.isTemporary == true
    }
    try await server.restart()
    try await eventually("the log can be used again") { (try? await log.newest(in: 0)) != nil }
    try await log.close()
    await #expect {
      try await JetStreamLog<Reading>("nats://127.0.0.1:1", name: "log")
    } throws: { error in
      if case LogError.unavailable = error { true } else { false }
    }
  }
}
