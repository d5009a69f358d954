import Foundation
import NIOCore
import RASPLogs
import RASPNATS
import ServerSupport
import Streams
import Testing

@testable import RASPJetStream

@Suite(
  "What a log says when it cannot do what it should",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(10))
)
struct SilenceTests {
  /// A server whose user `app` may subscribe to answers of requests only.
  private func restricted() async throws -> (NATSServer, JetStreamOptions, LoggedLines) {
    let server = try await NATSServer.start(
      configuration: """
        authorization { users: [
          { user: "all", password: "p" }
          { user: "app", password: "p", permissions: { publish: ">", subscribe: ["_INBOX.*.*"] } }
        ] }
        """
    )
    let lines = LoggedLines()
    var options = JetStreamOptions.quick
    options.logger = lines.logger
    options.nats.logger = lines.logger
    options.nats.credentials = .user("app", password: "p")
    return (server, options, lines)
  }

  @Test("a reader that may not subscribe ends with the words of the server, and asks once")
  func reader() async throws {
    let (server, options, lines) = try await restricted()
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 1, options: options)
    try await log.append(["a"], to: 0)
    await #expect {
      for try await _ in log.entries(of: 0, after: 0) {}
    } throws: { error in
      if case LogError.refused("log", 0, let reason) = error { reason.contains("Permissions Violation") } else { false }
    }
    #expect(lines.all.contains { $0.hasPrefix("error") && $0.contains("Permissions Violation") })
    #expect(lines.all.contains { $0.hasPrefix("error: A partition cannot be read.") })
    try await log.close()
  }

  @Test("a member that may not see the others says so, and does not ask without end")
  func member() async throws {
    let (server, options, lines) = try await restricted()
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 1, options: options)
    let subscription = log.assignment(of: "a").subscribe { _ in }
    try await eventually("it is said") {
      lines.all.filter { $0.hasPrefix("error: The members of a log cannot be read.") }.count > 1
    }
    // One attempt in each lease, which is a second.
    let attempts = lines.all.filter { $0.contains("error: A problem with NATS.") }.count
    #expect(attempts < 10)
    subscription.cancel()
    try await log.close()
  }

  @Test("what never left the machine was not sent, and may be appended again")
  func notSent() async throws {
    let server = try await NATSServer.start()
    let lines = LoggedLines()
    var options = JetStreamOptions.quick
    options.timeLimit = .seconds(3)
    options.nats.requestTimeLimit = .milliseconds(600)
    options.nats.logger = lines.logger
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 1, options: options)
    try await log.append(["a"], to: 0)
    await server.stop()
    try await eventually("it is known") {
      lines.all.contains { $0.hasPrefix("warning: The connection to NATS has ended.") }
    }
    for entries in [["b"], ["c", "d"]] {
      await #expect {
        try await log.append(entries, to: 0)
      } throws: { error in
        if case LogError.unavailable = error { true } else { false }
      }
    }
    try await server.restart()
    try await eventually("the log is there again") { (try? await log.newest(in: 0)) != nil }
    #expect(lines.all.contains { $0.hasPrefix("notice: The connection to NATS is there again.") })
    // Nothing of what was refused comes later.
    #expect(try await log.append(["e"], to: 0) == 2)
    #expect(try await read(2, from: log) == ["a", "e"])
    try await log.close()
  }

  @Test("requests that have timed out in an outage give their room back")
  func room() async throws {
    let server = try await NATSServer.start()
    var options = NATSOptions()
    options.writeLimit = 900
    let client = try await NATSClient.connect(to: server.url, options: options)
    await server.stop()
    for await status in client.status.values(buffering: .unbounded) {
      if case .disconnected = status { break }
    }
    for _ in 0..<50 {
      await #expect {
        try await client.request(ByteBuffer(), to: "a", timeLimit: .milliseconds(1))
      } throws: { error in
        if case NATSError.notSent = error { true } else { false }
      }
    }
    // Cancelled ones do so, too.
    for _ in 0..<50 {
      let task = Task { try await client.request(ByteBuffer(), to: "a") }
      try await Task.sleep(for: .milliseconds(1))
      task.cancel()
      await #expect(throws: NATSError.cancelled) { try await task.value }
    }
    await client.close()
  }

  @Test("leases that cannot be renewed, commits that are late and partitions that move are told")
  func late() async throws {
    let server = try await NATSServer.start()
    let lines = LoggedLines()
    var options = JetStreamOptions.quick
    options.logger = lines.logger
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 2, options: options)
    try await log.append(["a"], to: 0)
    let members = ["a", "b"].map { log.assignment(of: $0).subscribe { _ in } }
    try await eventually("the partitions are divided") {
      Set(["a", "b"]).allSatisfy { member in
        lines.all.contains {
          $0.hasPrefix("info: A member has other partitions now.") && $0.contains("\"member\": \(member)")
        }
      }
    }
    server.signal(SIGSTOP)
    async let commit = log.commit([1], at: 1, to: 0, replacing: .none)
    // Each of the two members tries it three times in a lease.
    try await eventually("the lease is over") {
      lines.all.filter { $0.hasPrefix("warning: A lease could not be renewed.") }.count > 8
    }
    server.signal(SIGCONT)
    _ = try await commit
    #expect(lines.all.contains { $0.hasPrefix("warning: A commit was late.") })
    for member in members { member.cancel() }
    try await log.close()
  }

  @Test("a subscription that is read too slowly is told")
  func slow() async throws {
    let server = try await NATSServer.start()
    let lines = LoggedLines()
    var options = NATSOptions()
    options.logger = lines.logger
    options.subscriptionLimit = 10_000
    let client = try await NATSClient.connect(to: server.url, options: options)
    let subscription = try await client.subscribe(to: "a")
    for _ in 0..<20 { try await client.publish(ByteBuffer(repeating: 1, count: 1_000), to: "a") }
    try await eventually("it has ended") {
      lines.all.contains { $0.hasPrefix("warning: A subscription to NATS has ended.") }
    }
    subscription.unsubscribe()
    await client.close()
  }

  @Test("an owner that was deposed is told")
  func deposed() async throws {
    let server = try await NATSServer.start()
    let lines = LoggedLines()
    var options = JetStreamOptions.quick
    options.logger = lines.logger
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 1, options: options)
    try await log.append(["a"], to: 0)
    try await log.commit([1], at: 1, to: 0, replacing: .none)
    await #expect(throws: LogError.self) { try await log.commit([2], at: 1, to: 0, replacing: .none) }
    #expect(lines.all.contains { $0.hasPrefix("warning: An owner was deposed.") })
    try await log.close()
  }

  @Test("a server that takes only small messages is refused for a record, and ends nothing")
  func smallMessages() async throws {
    let server = try await NATSServer.start(configuration: "max_payload: 1500")
    let log = try await JetStreamLog<String>(server.url, name: "log", partitions: 1, options: .quick)
    try await log.append(["a"], to: 0)
    await #expect {
      try await log.commit([1], at: 1, to: 0, replacing: .none)
    } throws: { error in
      if case LogError.refused("log", 0, let reason) = error { reason.contains("`max_payload`") } else { false }
    }
    try await log.close()
  }
}
