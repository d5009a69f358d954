import NIOConcurrencyHelpers
import RASPJournal
import RASPLogs
import ServerSupport
import Streams
import Testing

@testable import RASPJetStream

@Suite(
  "What each error of a server means",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct ErrorTableTests {
  private typealias Row = (code: Int, reason: String, meaning: JetStreamError.Meaning)

  /// All rows, and what stands in none: another number, and the number whose words decide.
  private static let rows: [Row] =
    JetStreamError.table.sorted { $0.key < $1.key }.map { ($0.key, "of a script", $0.value) } + [
      (19_999, "of a script", .unknown), (10_077, "no space left on device", .unknown),
      (10_077, "store is closed", .unknown), (10_077, "maximum bytes exceeded", .full),
      (10_077, "maximum messages exceeded", .full), (10_077, "maximum messages per subject exceeded", .full),
      (10_077, "message too large", .full),
    ]

  /// What a call has come to.
  private enum Outcome: Equatable {
    case done, unavailable, unacknowledged, refused, deposed
    case other(String)
  }

  private func outcome(_ body: () async throws -> Void) async -> Outcome {
    do {
      try await body()
      return .done
    } catch LogError.unavailable {
      return .unavailable
    } catch LogError.unacknowledged {
      return .unacknowledged
    } catch LogError.refused {
      return .refused
    } catch LogError.deposed {
      return .deposed
    } catch {
      return .other("\(error)")
    }
  }

  @Test("after these errors it is asked again, and after these nothing is known")
  func temporary() {
    let lists: [JetStreamError.Meaning: Set<Int>] = [
      .again: [
        10_004, 10_005, 10_007, 10_008, 10_009, 10_035, 10_039, 10_076, 10_118, 10_119, 10_163, 10_164, 10_167, 10_176,
        10_194, 10_195, 10_202, 10_210, 10_211,
      ],
      .fullHere: [10_002, 10_023],
      .unknown: [10_012, 10_041, 10_048, 10_049, 10_051, 10_063, 10_096, 10_104, 10_158],
      .compared: [10_070, 10_071],
    ]
    for (meaning, codes) in lists {
      #expect(Set(JetStreamError.table.filter { $0.value == meaning }.keys) == codes, "\(meaning)")
    }
    let temporary = JetStreamError.table.filter(\.value.isTemporary).keys
    #expect(temporary.allSatisfy { code in lists.contains { $0.key.isTemporary && $0.value.contains(code) } })
    // Of several servers, some may have stored it.
    for meaning in [JetStreamError.Meaning.compared, .fullHere, .unknown] {
      #expect(!meaning.isWithoutEffect(replicas: 3), "\(meaning)")
    }
    #expect(!JetStreamError.Meaning.unknown.isWithoutEffect(replicas: 1))
  }

  @Test("an error has the meaning of its row")
  func meanings() {
    for row in Self.rows {
      #expect(JetStreamError.refused(code: row.code, reason: row.reason).meaning == row.meaning, "\(row)")
    }
    #expect(JetStreamError.unreadable(reason: "").meaning == nil)
    // A server that is alone and full has not stored anything. Of several, another one may have.
    let full = JetStreamError.refused(code: 10_023, reason: "insufficient resources")
    #expect(full.isWithoutEffect(replicas: 1))
    #expect(!full.isWithoutEffect(replicas: 3))
  }

  @Test("an append that gets an error once is there once, or is refused and is not there", arguments: [1, 3])
  func appends(count: Int) async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    let entries = (0..<count).map { "\($0)" }
    let isLast: @Sendable (Middleman.Request) -> Bool = { $0.subject == "log.0" && $0.headers.contains("Nats-Msg-Id") }
    let isOther: @Sendable (Middleman.Request) -> Bool = { $0.subject == "log.0" && !isLast($0) }
    // These tell of a batch how it goes on.
    let own = count == 1 ? [] : [JetStreamError.Code.batchesDisabled, JetStreamError.Code.batchHasDuplicate]
    for row in Self.rows where !own.contains(row.code) {
      let newest = try await log.newest(in: 0)
      // A server keeps those of a batch that does not end, and takes only some such batches.
      for _ in 1..<count { server.expect(.answer(""), to: isOther) }
      server.expect(.refuse(row.code, row.reason), to: isLast)
      let found = await outcome { try await log.append(entries, to: 0) }
      #expect(found == (row.meaning.isTemporary ? .done : .refused), "\(row)")
      #expect(try await log.newest(in: 0) == newest + (found == .done ? count : 0), "\(row)")
      #expect(server.isDone, "\(row)")
      if row.meaning != .unknown { continue }
      server.expect(.passAndRefuse(row.code, row.reason), to: isLast)
      #expect(try await log.append(entries, to: 0) == newest + 2 * count, "\(row)")
      #expect(try await log.newest(in: 0) == newest + 2 * count, "\(row)")
      #expect(server.isDone, "\(row)")
    }
    try await log.close()
  }

  @Test("an append that gets an error until its time is over is not refused, and is unavailable only without effect")
  func appendsInVain() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    var options = JetStreamOptions.quick
    options.timeLimit = .milliseconds(60)
    let entries = try EncodedEntry.encode(["a", "b"], with: Coding<String>.codable)
    for row in Self.rows where row.meaning.isTemporary {
      for (replicas, count) in [(1, 1), (3, 2)] {
        let short = LogConnection(
          log.connection.names,
          partitions: 1,
          replicas: replicas,
          log.connection.client,
          options
        )
        let appender = Appender(EntryStore(short, 0, usesBatches: true))
        server.expectAlways(.refuse(row.code, row.reason)) { $0.subject == "log.0" }
        let isKnown = row.meaning.isWithoutEffect(replicas: replicas)
        // The last try may end with the time, and then nothing is known in any case.
        try await eventually("\(row)") {
          let found = await outcome { _ = try await appender.append(Array(entries.prefix(count))) }
          #expect(found == .unacknowledged || isKnown && found == .unavailable, "\(row)")
          return found == (isKnown ? .unavailable : .unacknowledged)
        }
        server.forget()
      }
    }
    #expect(try await log.newest(in: 0) == 0)
    try await log.close()
  }

  @Test("a read that gets an error once is done, or is refused")
  func reads() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    try await log.append(["a"], to: 0)
    for row in Self.rows {
      server.expect(.refuse(row.code, row.reason)) { $0.subject == "$JS.API.STREAM.INFO.log-0" }
      let found = await outcome {
        let newest = try await log.newest(in: 0)
        #expect(newest == 1)
      }
      #expect(found == (row.meaning.isTemporary ? .done : .refused), "\(row)")
      // A reader goes on, or ends with the error.
      server.expect(.refuse(row.code, row.reason)) { $0.subject == "$JS.API.CONSUMER.CREATE.log-0" }
      let ended = await outcome {
        let entries = try await read(1, from: log)
        #expect(entries == ["a"])
      }
      #expect(ended == (row.meaning.isTemporary ? .done : .refused), "\(row)")
      #expect(server.isDone, "\(row)")
    }
    try await log.close()
  }

  @Test("a commit that gets an error once is done, or may be done later")
  func commits() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    try await log.append(["a"], to: 0)
    var revision = LogRevision.none
    for row in Self.rows {
      server.expect(.refuse(row.code, row.reason)) { $0.subject == "$KV.log.0" }
      // A server that is alone says so only of a record that another owner has replaced, or that went back.
      let failure: Outcome = row.code == JetStreamError.Code.wrongLastSequence ? .deposed : .unavailable
      let found = await outcome { revision = try await log.commit([1], at: 1, to: 0, replacing: revision) }
      #expect(found == (row.meaning.isTemporary ? .done : failure), "\(row)")
      #expect(server.isDone, "\(row)")
      if row.meaning != .unknown { continue }
      server.expect(.passAndRefuse(row.code, row.reason)) { $0.subject == "$KV.log.0" }
      let next = try await log.commit([2], at: 1, to: 0, replacing: revision)
      #expect(next.number == revision.number + 1, "\(row)")
      revision = next
      #expect(server.isDone, "\(row)")
    }
    #expect(try await log.committed(0).revision == revision)
    try await log.close()
  }

  @Test("an opening that gets an error once is done, or is refused")
  func openings() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 1)
    try await log.append(["a"], to: 0)
    try await log.close()
    for (index, row) in Self.rows.enumerated() {
      // The key that tells of the log: without it the log is made, and it is there.
      let isNew = [JetStreamError.Code.noMessageFound, JetStreamError.Code.streamNotFound].contains(row.code)
      server.expect(.refuse(row.code, row.reason)) { $0.subject == "$JS.API.STREAM.MSG.GET.KV_log" }
      let opened = await outcome { try await server.log().close() }
      #expect(opened == (row.meaning.isTemporary || isNew ? .done : .refused), "\(row)")
      server.expect(.refuse(row.code, row.reason)) { $0.subject == "$JS.API.STREAM.CREATE.new\(index)-0" }
      let made = await outcome { try await server.log("new\(index)", partitions: 1).close() }
      #expect(made == (row.meaning.isTemporary ? .done : .refused), "\(row)")
      #expect(server.isDone, "\(row)")
      server.forget()
    }
  }

  @Test("a member that gets an error once has its partitions a moment later")
  func memberships() async throws {
    let server = try await ScriptedServer()
    let log = try await server.log(partitions: 2) {
      ($0.lease, $0.heartbeat) = (.milliseconds(300), .milliseconds(100))
    }
    for (index, row) in Self.rows.enumerated() {
      server.expect(.refuse(row.code, row.reason)) { $0.subject == "$KV.log-members.m\(index)" }
      server.expect(.refuse(row.code, row.reason)) { $0.subject == "$JS.API.CONSUMER.CREATE.KV_log-members" }
      let share = NIOLockedValueBox<Set<Int>>([])
      let subscription = log.assignment(of: "m\(index)").subscribe { partitions in
        share.withLockedValue { $0 = partitions }
      }
      try await eventually("\(row)") { share.withLockedValue { $0 } == [0, 1] }
      subscription.cancel()
      #expect(server.isDone, "\(row)")
    }
    try await log.close()
  }
}
