import Foundation
import NIOConcurrencyHelpers
import NIOCore
import RASPLogs
import RASPNATS
import ServerSupport
import Streams
import Testing

@testable import RASPJetStream

@Suite(
  "Owners of partitions in several processes",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct OwnerTests {
  private func log(
    _ server: NATSServer,
    partitions: Int? = nil,
    options: JetStreamOptions = .quick
  ) async throws -> JetStreamLog<Reading> {
    try await JetStreamLog(server.url, name: "log", partitions: partitions, options: options)
  }

  @Test("of two owners the one before cannot commit, over another connection too", arguments: LogServer.available)
  func deposed(kind: LogServer) async throws {
    let server = try await kind.start()
    let (first, second) = (try await log(server, partitions: 1), try await log(server))
    try await first.append((1...3).map { Reading(sensor: "a", value: $0) }, to: 0)
    let own = try await first.commit([1], at: 1, to: 0, replacing: .none)
    let record = try await second.committed(0)
    #expect(record == LogRecord(rows: [1], offset: 1, revision: own))
    let other = try await second.commit(record.rows, at: record.offset, to: 0, replacing: record.revision)
    for rows in [[2], [UInt8](repeating: 2, count: 2_000_000)] {
      await #expect {
        try await first.commit(rows, at: 2, to: 0, replacing: own)
      } throws: { error in
        if case LogError.deposed("log", 0) = error { true } else { false }
      }
    }
    #expect(try await first.committed(0) == LogRecord(rows: [1], offset: 1, revision: other))
    await #expect {
      try await second.commit([2], at: 4, to: 0, replacing: other)
    } throws: { error in
      if case LogError.invalidOffset(_, 0, 4, 1...3) = error { true } else { false }
    }
    try await first.close()
    try await second.close()
  }

  @Test("two owners that both believe to own a partition depose each other, and no row is wrong")
  func twoOwners() async throws {
    let server = try await NATSServer.start()
    let logs = [try await log(server, partitions: 1), try await log(server)]
    // Each is alone in its own view, as when the members cannot see each other.
    var owners: [Sensors] = []
    for log in logs { owners.append(try await Sensors.opened(on: log, as: "the same name", orAfter: 5)) }
    let deposed = NIOLockedValueBox(0)
    let subscriptions = owners.map { owner in
      owner.ownership.subscribe { if case .deposed = $0 { deposed.withLockedValue { $0 += 1 } } }
    }
    var readings: [Reading] = []
    while deposed.withLockedValue({ $0 }) < 6 {
      let next = (0..<5).map { Reading(sensor: "\($0 % 3)", value: readings.count + $0) }
      try await logs[readings.count % 2].append(next, to: 0)
      readings += next
    }
    let rows = folding(readings)
    try await eventually("an owner has folded all") { owners.contains { $0.rows() == rows } }
    for subscription in subscriptions { subscription.cancel() }
    for owner in owners { await owner.shutdown(within: .seconds(600)) }
    let last = try await Sensors.opened(on: logs[0])
    #expect(last.rows() == rows)
    await last.shutdown(within: .seconds(600))
    for log in logs { try await log.close() }
  }

  @Test(
    "a member that does not renew its lease loses its partitions when the lease is over",
    arguments: LogServer.available
  )
  func leaseOver(kind: LogServer) async throws {
    let server = try await kind.start()
    let log = try await log(server, partitions: 4)
    let client = try await NATSClient.connect(to: server.url)
    let shares = NIOLockedValueBox<[Set<Int>]>([])
    let subscription = log.assignment(of: "alive").subscribe { share in shares.withLockedValue { $0.append(share) } }
    try await eventually("a single member has all") { shares.withLockedValue { $0.last }?.count == 4 }
    // It says that it is there, and then nothing more.
    try await client.publish(ByteBuffer(string: "hung"), to: "$KV.log-members.hung")
    try await eventually("the other one has its part") { shares.withLockedValue { $0.last }?.count == 2 }
    try await eventually("the lease is over") { shares.withLockedValue { $0.last }?.count == 4 }
    #expect(shares.withLockedValue { $0 }.map(\.count) == [4, 2, 4])
    subscription.cancel()
    await client.close()
    try await log.close()
  }

  @Test("members of two processes divide the partitions, and one that ends gives its own away at once, committed")
  func gracefulEnd() async throws {
    let server = try await NATSServer.start()
    let (first, second) = (try await log(server, partitions: 4), try await log(server))
    let left = try await Sensors.opened(on: first, as: "left")
    let readings = (0..<6_000).map { Reading(sensor: "\($0)", value: $0) }
    try await left.append(contentsOf: readings)
    let folded = NIOLockedValueBox(0)
    let right = try await Sensors.opened(on: second, as: "right") { _, _ in folded.withLockedValue { $0 += 1 } }
    try await eventually("both have their part") { left.partitions.count == 2 && right.partitions.count == 2 }
    try await eventually("all rows are at one of them") { left.rowCount + right.rowCount == 6_000 }
    #expect(left.rows().merging(right.rows()) { $1 } == folding(readings))
    // The other one may have begun before the record was there. Rows are there before the reactions to their entries,
    // and what is committed has been reacted to.
    for partition in 0..<4 {
      try await eventually("partition \(partition) is committed") {
        try await first.committed(partition).offset == first.newest(in: partition)
      }
    }
    folded.withLockedValue { $0 = 0 }
    await left.shutdown(within: .seconds(600))
    try await eventually("the other one has all") { right.rowCount == 6_000 }
    #expect(right.rows() == folding(readings))
    #expect(folded.withLockedValue { $0 } == 0, "all was in the records")
    await right.shutdown(within: .seconds(600))
    for partition in 0..<4 {
      #expect(try await first.committed(partition).offset == first.newest(in: partition))
    }
    try await first.close()
    try await second.close()
  }

  @Test("a process that closes its log tells the others", arguments: LogServer.available)
  func closing(kind: LogServer) async throws {
    let server = try await kind.start()
    let (first, second) = (try await log(server, partitions: 4), try await log(server))
    let hasEnded = NIOLockedValueBox(false)
    let share = NIOLockedValueBox(0)
    let one = first.assignment(of: "a.b c").subscribe { _ in
    } onEnd: { _ in
      hasEnded.withLockedValue { $0 = true }
    }
    let other = second.assignment(of: "other").subscribe { partitions in share.withLockedValue { $0 = partitions.count }
    }
    try await eventually("they divide the partitions") { share.withLockedValue { $0 } == 2 }
    try await first.close()
    #expect(hasEnded.withLockedValue { $0 })
    try await eventually("the other one has all") { share.withLockedValue { $0 } == 4 }
    one.cancel()
    other.cancel()
    try await second.close()
  }

  @Test("members keep their partitions while a server is away, and have them when it is back")
  func serverAway() async throws {
    let server = try await NATSServer.start()
    // No lease is over before both are connected again.
    var options = JetStreamOptions.quick
    options.lease = .seconds(60)
    let logs = [
      try await log(server, partitions: 4, options: options), try await log(server, options: options),
    ]
    let shares = NIOLockedValueBox<[[Int]]>([[], []])
    let subscriptions = logs.indices.map { index in
      logs[index].assignment(of: "\(index)").subscribe { share in
        shares.withLockedValue { $0[index].append(share.count) }
      }
    }
    try await eventually("they divide the partitions") { shares.withLockedValue { $0.allSatisfy { $0.last == 2 } } }
    let before = shares.withLockedValue { $0 }
    server.kill()
    try await server.restart()
    // A third one is seen, so both have heard of the server again.
    let third = logs[0].assignment(of: "2").subscribe { _ in }
    try await eventually("all three divide the partitions") { shares.withLockedValue { $0.contains { $0.last != 2 } } }
    #expect(
      shares.withLockedValue { $0 }.indices.allSatisfy { index in
        shares.withLockedValue { $0[index].dropFirst(before[index].count).allSatisfy { $0 <= 2 } }
      }
    )
    third.cancel()
    for subscription in subscriptions { subscription.cancel() }
    for log in logs { try await log.close() }
  }

  @Test("rows of some megabytes are in parts, older parts are removed, and a missing one is an error")
  func parts() async throws {
    let server = try await NATSServer.start()
    let log = try await log(server, partitions: 1)
    let client = try await NATSClient.connect(to: server.url)
    func messages() async throws -> Int {
      struct Answer: Decodable {
        struct State: Decodable { var messages: Int }
        var state: State
      }
      let answer = try await client.request(ByteBuffer(), to: "$JS.API.STREAM.INFO.KV_log")
      return try JSONDecoder().decode(Answer.self, from: Data(answer.payload.readableBytesView)).state.messages
    }
    var revision = LogRevision.none
    for round in 1...3 {
      let rows = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 1_000 * round) }
      revision = try await log.commit(rows, at: 0, to: 0, replacing: revision)
      #expect(try await log.committed(0) == LogRecord(rows: rows, offset: 0, revision: revision))
      // The description of the log, the record, and four parts.
      try await eventually("older parts are removed") { try await messages() == 6 }
    }
    let purge = #"{"filter":"$KV.log.0.parts.*.2"}"#
    _ = try await client.request(ByteBuffer(string: purge), to: "$JS.API.STREAM.PURGE.KV_log")
    await #expect {
      try await log.committed(0)
    } throws: { error in
      if case LogError.files(_, .damaged) = error { "\(error)".contains("part of its rows is missing") } else { false }
    }
    revision = try await log.commit([1], at: 0, to: 0, replacing: revision)
    #expect(try await log.committed(0) == LogRecord(rows: [1], offset: 0, revision: revision))
    try await eventually("all parts are removed") { try await messages() == 2 }
    // Removed by hand: all is folded again.
    try await client.publish(ByteBuffer(), to: "$KV.log.0", headers: ["KV-Operation": "DEL"])
    try await client.flush()
    let removed = try await log.committed(0)
    #expect(removed.rows.isEmpty && removed.offset == 0)
    _ = try await log.commit([2], at: 0, to: 0, replacing: removed.revision)
    await client.close()
    try await log.close()
  }
}
