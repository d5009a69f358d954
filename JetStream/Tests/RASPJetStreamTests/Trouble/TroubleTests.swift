import FleetProcesses
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
  "A log on servers in trouble",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct TroubleTests {
  private static let isAppend: @Sendable (Middleman.Request) -> Bool = { $0.subject == "log.0" }
  private static let isCommit: @Sendable (Middleman.Request) -> Bool = { $0.subject == "$KV.log.0" }

  private func expectRefused(_ words: String, _ body: () async throws -> Void) async {
    await #expect {
      try await body()
    } throws: { error in
      if case LogError.refused(_, _, let reason) = error { reason.contains(words) } else { false }
    }
  }

  private func expectUnacknowledged(_ body: () async throws -> Void) async {
    await #expect {
      try await body()
    } throws: { error in
      if case LogError.unacknowledged = error { true } else { false }
    }
  }

  // MARK: Appends

  @Test(
    "what a later try says tells nothing of an earlier one that had no answer",
    arguments: [
      (["a"], JetStreamError.Code.storeFailed), (["a", "b"], JetStreamError.Code.storeFailed),
      (["a", "b"], JetStreamError.Code.batchesDisabled),
    ]
  )
  func refusedLater(entries: [String], code: Int) async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1) { $0.nats.requestTimeLimit = .milliseconds(200) }
    let isLast: @Sendable (Middleman.Request) -> Bool = { Self.isAppend($0) && $0.headers.contains("Nats-Msg-Id") }
    server.expect(.passInSilence, .refuse(code, "maximum bytes exceeded"), to: isLast)
    await expectUnacknowledged { try await log.append(entries, to: 0) }
    #expect(try await server.entries(of: log) == entries)
    try await log.close()
  }

  @Test("entries of one append keep their order in a stream without batches, of which one is refused for a moment")
  func order() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    let appender = Appender(EntryStore(log.connection, 0, usesBatches: false))
    let values = (0..<20).map { "\($0)" }
    for code in [10_167, 10_008, 10_158] {
      let newest = try await log.newest(in: 0)
      server.expect(.refuse(code)) { Self.isAppend($0) && $0.payload.contains("7") }
      let offset = try await appender.append(try EncodedEntry.encode(values, with: .codable))
      #expect(offset == newest + 20)
      #expect(try await read(20, after: newest, from: log) == values)
    }
    try await log.close()
  }

  @Test("a stream that takes no batches gets none, whatever the version of the server is")
  func withoutBatches() async throws {
    let server = try await ScriptedServer()
    // As a server before 2.12 makes the stream.
    let client = try await NATSClient.connect(to: server.server.url)
    let stream = #"{"name":"log-0","subjects":["log.0","log.0.>"],"discard":"new","allow_direct":true}"#
    let answer = try await client.request(ByteBuffer(string: stream), to: "$JS.API.STREAM.CREATE.log-0")
    #expect(!String(buffer: answer.payload).contains("\"error\""))
    server.expect(.answer(#"{"config":{}}"#)) { $0.subject == "$JS.API.STREAM.CREATE.log-0" }
    let log = try await server.log(partitions: 1)
    #expect(try await log.append(["a", "b", "c"], to: 0) == 3)
    #expect(!server.requests.contains { $0.headers.contains("Nats-Batch") })
    #expect(try await server.entries(of: log) == ["a", "b", "c"])
    await client.close()
    try await log.close()
  }

  @Test("a batch whose answer does not count its entries was stored one by one, and is not sent again")
  func batchOneByOne() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    server.expect(.passAndAnswer(#"{"stream":"log-0","seq":3}"#)) { $0.isCommitOfBatch }
    await expectUnacknowledged { try await log.append(["a", "b", "c"], to: 0) }
    let count = server.requests.count { $0.isCommitOfBatch }
    #expect(count == 1)
    // From then on they go one by one.
    #expect(try await log.append(["d", "e"], to: 0) == 5)
    #expect(server.requests.count { $0.isCommitOfBatch } == 1)
    #expect(try await server.entries(of: log) == ["a", "b", "c", "d", "e"])
    try await log.close()
  }

  @Test("a batch that is said to be stored and is not known by its id is not stored as something else")
  func unknownBatch() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    server.expect(.refuse(JetStreamError.Code.batchHasDuplicate)) { $0.isCommitOfBatch }
    await expectUnacknowledged { try await log.append(["a", "b"], to: 0) }
    #expect(try await log.newest(in: 0) == 0)
    // One that is known has its offset, also if the question has to be asked again.
    server.expect(.passInSilence, to: { $0.isCommitOfBatch })
    server.expect(.refuse(10_008)) { $0.headers.contains("Nats-Expected-Last-Msg-Id") }
    let quick = try await server.log { $0.nats.requestTimeLimit = .milliseconds(200) }
    #expect(try await quick.append(["c", "d"], to: 0) == 2)
    #expect(try await server.entries(of: log) == ["c", "d"])
    // Of several servers, one may not know the batch yet.
    server.expect(.passAndRefuse(JetStreamError.Code.batchHasDuplicate), to: { $0.isCommitOfBatch })
    server.expect(.refuse(JetStreamError.Code.wrongLastMessage)) { $0.headers.contains("Nats-Expected-Last-Msg-Id") }
    let appender = Appender(EntryStore(server.cluster(of: log), 0, usesBatches: true))
    #expect(try await appender.append(try EncodedEntry.encode(["e", "f"], with: .codable)) == 4)
    #expect(server.isDone)
    #expect(try await server.entries(of: log) == ["c", "d", "e", "f"])
    try await quick.close()
    try await log.close()
  }

  @Test("an append while most servers stand still is not known, and then there once or not at all")
  func stalled() async throws {
    try await Trio.run { trio in
      let first = try await trio.log(by: 0)
      try await first.append(["first"], to: 0)
      try await first.close()
      let leader = try await trio.leader(of: "log-0")
      let log = try await trio.log(by: leader) {
        ($0.timeLimit, $0.nats.requestTimeLimit) = (.seconds(2), .milliseconds(300))
      }
      let followers = trio.brokers.indices.filter { $0 != leader }.map { trio.brokers[$0] }
      for follower in followers { follower.send(signal: SIGSTOP) }
      await expectUnacknowledged { try await log.append(["second"], to: 0) }
      await expectUnacknowledged { try await log.append(["third", "fourth"], to: 0) }
      for follower in followers { follower.send(signal: SIGCONT) }
      var entries: [String] = []
      try await eventually("the log can be used again") {
        guard (try? await log.append(["last"], to: 0)) != nil else { return false }
        entries = try await read(try await log.newest(in: 0), from: log)
        return true
      }
      for entry in ["second", "third", "fourth"] { #expect(entries.count { $0 == entry } <= 1) }
      #expect(entries.first == "first" && entries.last == "last")
      try await log.close()
    }
  }

  @Test("what was not sent before the log was closed is not stored")
  func closed() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    let connection = server.cluster(of: log)
    #expect(connection.end())
    let appender = Appender(EntryStore(connection, 0, usesBatches: true))
    let isClosed: @Sendable (any Error) -> Bool = { if case LogError.closed = $0 { true } else { false } }
    await #expect {
      try await appender.append(try EncodedEntry.encode(["a"], with: .codable))
    } throws: {
      isClosed($0)
    }
    await #expect {
      try await connection.storing(0) { jetStream async throws(JetStreamError) in
        try await jetStream.store(ByteBuffer(), to: "log.0", headers: [:])
      }
    } throws: {
      isClosed($0)
    }
    #expect(try await log.newest(in: 0) == 0)
    try await log.close()
  }

  // MARK: Records

  @Test("an owner that is alone is not deposed by its own record, of which there was no answer")
  func ownRecord() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    try await log.append(["a", "b"], to: 0)
    let first = try await log.commit([1], at: 1, to: 0, replacing: .none)
    // The same message is in process for a while, and then it is there.
    server.expect(.passAndRefuse(10_164), .refuse(10_164), .refuse(10_163), to: Self.isCommit)
    let second = try await log.commit([2], at: 1, to: 0, replacing: first)
    #expect(try await log.committed(0) == LogRecord(rows: [2], offset: 1, revision: second))
    try await log.close()
  }

  @Test("an owner that has had no answer commits over its own record, and over no other one", arguments: [false, true])
  func unansweredRecord(isRead: Bool) async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    let other = try await server.log()
    try await log.append(["a", "b", "c"], to: 0)
    let first = try await log.commit([1], at: 1, to: 0, replacing: .none)
    server.expect(.passInSilence, to: Self.isCommit)
    let commit = Task { try await log.commit([UInt8](repeating: 2, count: 2_000_000), at: 2, to: 0, replacing: first) }
    try await eventually("the record is there") { try await other.committed(0).offset == 2 }
    commit.cancel()
    await expectUnacknowledged { _ = try await commit.value }
    // A reader may have looked at the record meanwhile.
    if isRead { _ = try await log.committed(0) }
    let third = try await log.commit([3], at: 3, to: 0, replacing: first)
    #expect(try await log.committed(0) == LogRecord(rows: [3], offset: 3, revision: third))
    // Another owner takes it over.
    let record = try await other.committed(0)
    _ = try await other.commit(record.rows, at: 3, to: 0, replacing: record.revision)
    for revision in [first, third] {
      await #expect {
        try await log.commit([4], at: 3, to: 0, replacing: revision)
      } throws: { error in
        if case LogError.deposed = error { true } else { false }
      }
    }
    try await other.close()
    try await log.close()
  }

  @Test("an owner is deposed by an older record of one of several servers only if that stays so")
  func olderRecord() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    try await log.append(["a", "b"], to: 0)
    let store = CheckpointStore(server.cluster(of: log), 0)
    let first = try await store.write([1], at: 1, identified: .unknown, replacing: .none)
    let second = try await store.write([2], at: 1, identified: .unknown, replacing: first)
    let rows = ByteBuffer(bytes: [1])
    let bytes = CheckpointFormat(
      identity: 1,
      offset: 1,
      entry: .unknown,
      creation: 0,
      parts: 0,
      count: 1,
      rows: rows
    ).bytes
    let data = Data(bytes.readableBytesView).base64EncodedString()
    let older = Middleman.Reaction.answer(#"{"message":{"seq":\#(first.number),"data":"\#(data)"}}"#)
    let isRead: @Sendable (Middleman.Request) -> Bool = { $0.subject == "$JS.API.STREAM.MSG.GET.KV_log" }
    let (none, other) = (JetStreamError.Code.noMessageFound, JetStreamError.Code.wrongLastSequence)
    // A commit is refused, and the record is not there, or is an older one.
    server.expect(.refuse(other), .refuse(other), to: Self.isCommit)
    server.expect(.refuse(none), older, to: isRead)
    let third = try await store.write([3], at: 2, identified: .unknown, replacing: second)
    // The record is read from such a server, before the commit and in it.
    server.expect(older, older, to: isRead)
    #expect(try await store.read().revision == first)
    let fourth = try await store.write([4], at: 2, identified: .unknown, replacing: third)
    #expect(server.isDone)
    #expect(try await log.committed(0) == LogRecord(rows: [4], offset: 2, revision: fourth))
    let short = CheckpointStore(server.cluster(of: log) { $0.timeLimit = .milliseconds(200) }, 0)
    server.expectAlways(.refuse(other), to: Self.isCommit)
    server.expectAlways(older, to: isRead)
    try await eventually("it is deposed") {
      do {
        _ = try await short.write([5], at: 2, identified: .unknown, replacing: fourth)
      } catch LogError.deposed {
        return true
      } catch LogError.unacknowledged, LogError.unavailable {
        // The last request had no time for an answer.
      }
      return false
    }
    try await log.close()
  }

  @Test("a mirror of the bucket answers for no record")
  func mirror() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 2)
    try await log.append(["a"], to: 0)
    var revision = try await log.commit([0], at: 1, to: 0, replacing: .none)
    let client = try await NATSClient.connect(to: server.server.url)
    let stream = #"{"name":"backup","mirror":{"name":"KV_log","filter_subject":"$KV.log.1"}}"#
    let answer = try await client.request(ByteBuffer(string: stream), to: "$JS.API.STREAM.CREATE.backup")
    #expect(!String(buffer: answer.payload).contains("\"error\""))
    for round in 1...20 {
      #expect(try await log.committed(0).revision == revision)
      revision = try await log.commit([UInt8(round)], at: 1, to: 0, replacing: revision)
    }
    #expect(!server.requests.contains { $0.subject.hasPrefix("$JS.API.DIRECT") })
    await client.close()
    try await log.close()
  }

  // MARK: The log

  @Test("a log whose description is gone is not made with other partitions, and says how to put it back")
  func description() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 4)
    try await log.append(["a"], to: 3)
    try await log.close()
    let client = try await NATSClient.connect(to: server.server.url)
    let ways: [(String, () async throws -> Void)] = [
      ("deleted", { try await client.publish(ByteBuffer(), to: "$KV.log.log", headers: ["KV-Operation": "DEL"]) }),
      (
        "taken away",
        {
          let filter = ByteBuffer(string: #"{"filter":"$KV.log.log"}"#)
          _ = try await client.request(filter, to: "$JS.API.STREAM.PURGE.KV_log")
        }
      ),
      ("gone with its bucket", { _ = try await client.request(ByteBuffer(), to: "$JS.API.STREAM.DELETE.KV_log") }),
    ]
    for (name, removal) in ways {
      try await removal()
      try await client.flush()
      for (partitions, lease) in [(nil, 1), (2, 1), (4, 1), (8, 1), (nil, 3)] as [(Int?, Int)] {
        await expectRefused("`nats kv put log log '{\"format\":1,\"partitions\":4,\"lease\":1000000000}'`") {
          try await server.log(partitions: partitions) { $0.lease = .seconds(lease) }.close()
        }
      }
      let names = try await JetStream(client: client).streamNames().filter { $0.hasPrefix("log-") }
      #expect(names.sorted() == ["log-0", "log-1", "log-2", "log-3"], "\(name)")
      let json = #"{"format":1,"partitions":4,"lease":1000000000}"#
      _ = try await client.request(ByteBuffer(string: json), to: "$KV.log.log")
      let again = try await server.log()
      #expect(again.partitions == 4, "\(name)")
      #expect(try await again.newest(in: 3) == 1, "\(name)")
      try await again.close()
    }
    await client.close()
  }

  @Test("a log without entries whose description was deleted is made again")
  func emptyLog() async throws {
    let server = try await ScriptedServer()
    try await server.log(partitions: 2).close()
    let client = try await NATSClient.connect(to: server.server.url)
    _ = try await client.request(ByteBuffer(), to: "$KV.log.log", headers: ["KV-Operation": "DEL"])
    try await server.log(partitions: 3).close()
    let log = try await server.log()
    #expect(log.partitions == 3)
    try await log.append(["a"], to: 1)
    try await log.close()
    // The last stream has no entry.
    _ = try await client.request(ByteBuffer(), to: "$KV.log.log", headers: ["KV-Operation": "DEL"])
    await expectRefused("its streams are those of 3 partitions, and at least 2: ") { try await server.log().close() }
    await client.close()
  }

  @Test("entries that the leader has not applied yet are asked for again, and are gone only if that stays so")
  func notApplied() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    try await log.append(["a", "b"], to: 0)
    let cluster = server.cluster(of: log) { $0.timeLimit = .milliseconds(200) }
    let less = Middleman.Reaction.answer(
      #"{"config":{"num_replicas":3},"created":"2026-01-01T00:00:00Z","state":{"first_seq":1,"last_seq":1}}"#
    )
    let isAsked: @Sendable (Middleman.Request) -> Bool = { $0.subject == "$JS.API.STREAM.INFO.log-0" }
    server.expect(less, less, to: isAsked)
    #expect(try await cluster.stream(of: 0, expecting: 2).state.last == 2)
    server.expect(less, less, to: isAsked)
    #expect(try await cluster.stream(of: 0).state.last == 2)
    server.expectAlways(less, to: isAsked)
    await #expect {
      _ = try await lasting { () async throws(LogError) in try await cluster.stream(of: 0) }
    } throws: { error in
      if case LogError.wentBack("log", 0, 1, 2) = error { true } else { false }
    }
    // What was never seen here is not gone.
    let other = server.cluster(of: log) { $0.timeLimit = .milliseconds(200) }
    let newest = try await lasting { () async throws(LogError) in
      try await other.stream(of: 0, expecting: 2).state.last
    }
    #expect(newest == 1)
    // Who does not wait so long is not told that it is gone.
    let patient = server.cluster(of: log)
    patient.partitions[0].see(2)
    for isClosed in [false, true] {
      let count = server.requests.count(where: isAsked)
      let waiting = Task { try await patient.stream(of: 0) }
      try await eventually("it is asked again") { server.requests.count(where: isAsked) > count + 1 }
      if isClosed { _ = patient.end() } else { waiting.cancel() }
      await #expect {
        _ = try await waiting.value
      } throws: { error in
        switch error {
        case LogError.closed: isClosed
        case LogError.unavailable: !isClosed
        default: false
        }
      }
    }
    try await log.close()
  }

  /// Calls again while the last request of a call has no time for an answer.
  private func lasting<Result>(_ call: () async throws(LogError) -> Result) async throws(LogError) -> Result {
    while true {
      do throws(LogError) {
        return try await call()
      } catch {
        guard case .unavailable = error else { throw error }
      }
    }
  }

  // MARK: Members

  @Test("what a server leaves in place of a lease that has expired is no member")
  func expiredLease() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 4)
    let shares = NIOLockedValueBox<[Set<String>]>([])
    let subscription = log.owners(joining: LogOwner("alive")).subscribe { owners in
      shares.withLockedValue { $0.append(Set((0..<owners.count).compactMap { owners[$0]?.member })) }
    }
    let client = try await NATSClient.connect(to: server.server.url)
    try await eventually("it has all") { shares.withLockedValue { $0.last } == ["alive"] }
    // What a person has put there.
    _ = try await client.request(ByteBuffer(string: "stranger"), to: "$KV.log-members.other")
    for name in ["first", "second"] {
      _ = try await client.request(ByteBuffer(string: name), to: "$KV.log-members.\(name)")
      try await eventually("\(name) is there") { shares.withLockedValue { $0.contains(["alive", name]) } }
      // As a server says it whose markers are switched on.
      let headers: NATSHeaders = name == "first" ? ["Nats-Marker-Reason": "MaxAge"] : [:]
      _ = try await client.request(ByteBuffer(), to: "$KV.log-members.\(name)", headers: headers)
      try await eventually("\(name) is gone") { shares.withLockedValue { $0.last } == ["alive"] }
    }
    #expect(Set(shares.withLockedValue { $0.joined() }) == ["alive", "first", "second"])
    subscription.cancel()
    await client.close()
    try await log.close()
  }
}
