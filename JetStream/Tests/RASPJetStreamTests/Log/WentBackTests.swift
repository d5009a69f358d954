import Foundation
import NIOCore
import RASPLogs
import RASPNATS
import ServerSupport
import Testing

@testable import RASPJetStream

@Suite(
  "A log in JetStream that went back and has grown again",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct WentBackTests {
  private func log(_ server: NATSServer) async throws -> JetStreamLog<Reading> {
    try await JetStreamLog(server.url, name: "log", partitions: 1, options: .quick)
  }

  private func readings(_ values: ClosedRange<Int>) -> [Reading] { values.map { Reading(sensor: "a", value: $0) } }

  private func expectWentBack(_ wanted: Int, _ body: () async throws -> Void) async {
    await #expect {
      try await body()
    } throws: { error in
      if case LogError.wentBack("log", 0, _, wanted) = error { true } else { false }
    }
  }

  @Test("an owner that comes later does not fold over what is not there any more")
  func laterOwner() async throws {
    let server = try await NATSServer.start()
    var log = try await log(server)
    try await log.append(readings(1...5), to: 0)
    let older = try await server.copy(of: "log-0")
    try await log.append(readings(6...10), to: 0)
    let sensors = try await Sensors.opened(on: log)
    #expect(try await sensors.hasAll(of: log))
    await sensors.shutdown(within: .seconds(600))
    try await log.close()
    try await server.replace("log-0", by: older)
    log = try await self.log(server)
    let rows = try await log.committed(0).rows
    #expect(try await log.committed(0).offset == 10)
    try await log.append(readings(101...110), to: 0)
    await expectWentBack(10) { _ = try await Sensors.owned(on: log) }
    #expect(try await log.committed(0).rows == rows)
    try await log.close()
  }

  @Test("a reader that was there at the time notices it when the connection is back")
  func presentReader() async throws {
    let server = try await NATSServer.start()
    let (log, writer) = (try await log(server), try await log(server))
    try await writer.append(readings(1...5), to: 0)
    let older = try await server.copy(of: "log-0")
    var batches = log.entries(of: 0, after: 0).makeAsyncIterator()
    try await writer.append(readings(6...10), to: 0)
    var last = 0
    while last < 10, let batch = try await batches.next() { last = batch.offsets.upperBound }
    try await writer.close()
    try await server.replace("log-0", by: older)
    // Something else fills the log before the reader looks.
    let other = try await NATSClient.connect(to: server.url)
    for value in 101...110 {
      let json = #"{"sensor":"a","value":\#(value)}"#
      _ = try await other.request(ByteBuffer(string: json), to: "log.0")
    }
    await other.close()
    await expectWentBack(10) { _ = try await batches.next() }
    try await log.close()
  }

  @Test("who appends is told")
  func append() async throws {
    let server = try await NATSServer.start()
    let log = try await log(server)
    try await log.append(readings(1...5), to: 0)
    let older = try await server.copy(of: "log-0")
    for value in 6...10 { try await log.append(readings(value...value), to: 0) }
    try await server.replace("log-0", by: older)
    for _ in 0..<2 { await expectWentBack(10) { try await log.append(readings(11...11), to: 0) } }
    await expectWentBack(10) { try await log.append(readings(11...13), to: 0) }
    try await log.close()
  }

  @Test("an owner whose record went back is deposed, and commits again when it has read the record")
  func record() async throws {
    let server = try await NATSServer.start()
    let log = try await log(server)
    try await log.append(readings(1...2), to: 0)
    let first = try await log.commit([1], at: 1, to: 0, replacing: .none)
    let older = try await server.copy(of: "KV_log")
    let second = try await log.commit([2], at: 2, to: 0, replacing: first)
    try await server.replace("KV_log", by: older)
    await #expect {
      try await log.commit([3], at: 2, to: 0, replacing: second)
    } throws: { error in
      if case LogError.deposed = error { true } else { false }
    }
    #expect(try await log.committed(0).revision == first)
    try await log.commit([3], at: 2, to: 0, replacing: first)
    #expect(try await log.committed(0).rows == [3])
    try await log.close()
  }

  @Test("a stream that was deleted and made anew is another one", arguments: [false, true])
  func madeAnew(isCut: Bool) async throws {
    let server = try await NATSServer.start()
    let log = try await log(server)
    try await log.append(readings(1...5), to: 0)
    let sensors = try await Sensors.opened(on: log)
    #expect(try await sensors.hasAll(of: log))
    await sensors.shutdown(within: .seconds(600))
    #expect(try await log.committed(0).offset == 5)
    let client = try await NATSClient.connect(to: server.url)
    _ = try await client.request(ByteBuffer(), to: "$JS.API.STREAM.DELETE.log-0")
    let stream = #"{"name":"log-0","subjects":["log.0","log.0.>"]}"#
    _ = try await client.request(ByteBuffer(string: stream), to: "$JS.API.STREAM.CREATE.log-0")
    for value in 1...7 {
      let json = #"{"sensor":"a","value":\#(value)}"#
      _ = try await client.request(ByteBuffer(string: json), to: "log.0")
    }
    if isCut { _ = try await client.request(ByteBuffer(string: #"{"seq":7}"#), to: "$JS.API.STREAM.PURGE.log-0") }
    await client.close()
    // A process that has seen the stream before.
    await expectWentBack(5) { _ = try await log.newest(in: 0) }
    try await log.close()
    // A process that knows only the record.
    let other = try await self.log(server)
    await expectWentBack(5) { _ = try await Sensors.owned(on: other) }
    try await other.close()
  }
}
