import Aggregate
import Foundation
import NIOCore
import RASPJournal
import RASPLogs
import RASPNATS
import ServerSupport
import Streams
import Testing

@testable import RASPJetStream

@Suite(
  "An entry that cannot be used, in JetStream",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct PoisonTests {
  private func log(_ server: NATSServer, _ poison: PoisonPolicy, partitions: Int? = nil) async throws
    -> JetStreamLog<Reading>
  {
    try await JetStreamLog(server.url, name: "log", partitions: partitions, onPoison: poison, options: .quick)
  }

  /// Good entries with messages between them that are none, as a sensor may send them.
  private func write(to log: JetStreamLog<Reading>, _ client: NATSClient) async throws {
    for value in 1...5 {
      try await log.append([Reading(sensor: "a", value: value)], to: 0)
      if value != 3 { _ = try await client.request(ByteBuffer(string: #"{"key":"a"#), to: "log.0.sensor") }
    }
  }

  @Test("by the standard it ends its partition, and the others live")
  func stop() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let log = try await log(server, .stop, partitions: 4)
    let key = (0..<100).map { "\($0)" }.first { PartitionHasher.partition(of: $0, among: 4) == 2 } ?? ""
    try await log.append([Reading(sensor: key, value: 1)], to: 2)
    _ = try await client.request(ByteBuffer(string: "{"), to: "log.0")
    let sensors = try await Sensors.opened(on: log)
    #expect(sensors.rows().keys.elementsEqual([key]))
    guard case .unreadable("log", 0, 1, _)? = sensors.failures[0], sensors.failures.count == 1 else {
      Issue.record("\(sensors.failures)")
      return
    }
    await sensors.shutdown(within: .seconds(600))
    try await log.close()
    await client.close()
  }

  @Test("it is passed over and told")
  func passedOver() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let log = try await log(server, .skip, partitions: 1)
    try await write(to: log, client)
    for round in 1...2 {
      let sensors = try await Sensors.opened(on: log)
      #expect(try await sensors.hasAll(of: log))
      #expect(sensors.rows() == folding((1...5).map { Reading(sensor: "a", value: $0) }))
      #expect(sensors.skippedCount == (round == 1 ? 4 : 0))
      #expect(sensors.failures.isEmpty)
      await sensors.shutdown(within: .seconds(600))
    }
    try await log.close()
    await client.close()
  }

  @Test("entries that were deleted are no hole, and the newest one that was deleted is not waited for")
  func deleted() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let log = try await log(server, .stop, partitions: 1)
    let readings = (1...20).map { Reading(sensor: "a", value: $0) }
    for reading in readings { try await log.append([reading], to: 0) }
    let gone = [3, 4, 11, 19, 20]
    for offset in gone {
      _ = try await client.request(ByteBuffer(string: #"{"seq":\#(offset)}"#), to: "$JS.API.STREAM.MSG.DELETE.log-0")
    }
    let left = readings.filter { !gone.contains($0.value) }
    #expect(try await log.deleted(1...20, of: 0) == [3...4, 11...11, 19...20])
    let sensors = try await Sensors.opened(on: log)
    #expect(sensors.rows() == folding(left))
    #expect(sensors.failures.isEmpty)
    let next = try await sensors.append(Reading(sensor: "a", value: 21))
    try await sensors.folded(next)
    #expect(sensors.rows() == folding(left + [Reading(sensor: "a", value: 21)]))
    await sensors.shutdown(within: .seconds(600))
    // The entry of the record is deleted: nothing can be compared, and all goes on.
    _ = try await client.request(ByteBuffer(string: #"{"seq":21}"#), to: "$JS.API.STREAM.MSG.DELETE.log-0")
    let other = try await Sensors.opened(on: log)
    #expect(other.rows() == folding(left + [Reading(sensor: "a", value: 21)]))
    await other.shutdown(within: .seconds(600))
    try await log.close()
    await client.close()
  }

  @Test("a server tells the same of a first entry that was deleted and of one that was purged")
  func first() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let log = try await JetStreamLog<Reading>(server.url, name: "log", partitions: 2, options: .quick)
    for partition in 0..<2 {
      try await log.append((1...5).map { Reading(sensor: "a", value: $0) }, to: partition)
    }
    _ = try await client.request(ByteBuffer(string: #"{"seq":1}"#), to: "$JS.API.STREAM.MSG.DELETE.log-0")
    _ = try await client.request(ByteBuffer(string: #"{"seq":2}"#), to: "$JS.API.STREAM.PURGE.log-1")
    let jetStream = JetStream(client: client)
    for stream in ["log-0", "log-1"] {
      let state = try await jetStream.deletions(in: stream).state
      #expect(state.first == 2 && state.last == 5 && state.deleted == nil && state.lost == nil)
      #expect(try await jetStream.message(1, in: stream) == nil)
    }
    // So both count as missing.
    for partition in 0..<2 {
      #expect(try await log.deleted(1...5, of: partition).isEmpty)
      await #expect {
        for try await _ in log.entries(of: partition, after: 0) {}
      } throws: { error in
        if case LogError.missing("log", partition, 1) = error { true } else { false }
      }
    }
    try await log.close()
    await client.close()
  }

  @Test("what a server has lost is not what an operator has deleted")
  func lost() throws {
    let json = #"{"first_seq":1,"last_seq":9,"deleted":[2,3,5,7,8],"lost":{"msgs":[7],"bytes":9}}"#
    let state = try JSON.decode(StreamInformation.State.self, from: ByteBuffer(string: json))
    #expect(DeletedEntries.ranges(1...9, in: state) == [2...3, 5...5, 8...8])
    #expect(DeletedEntries.ranges(3...5, in: state) == [3...3, 5...5])
  }
}
