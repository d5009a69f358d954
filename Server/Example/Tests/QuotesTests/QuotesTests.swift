import Foundation
import Logging
import NIOCore
import RASPServer
import Streams
import Synchronization
import Testing

@testable import Quotes

@Suite("the quotes service", .serialized, .timeLimit(.minutes(5)))
struct QuotesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
  private let hundred = "/stream?symbols=" + (0..<100).map { "S\($0)" }.joined(separator: ",")
  private let logger = Logger(label: "quotes") { _ in SwiftLogNoOpLogHandler() }
  private let flood = ProcessInfo.processInfo.environment["RASP_FLOOD"].flatMap(Double.init)

  @Test("clients get what is newest, the process ends while they read, and a restart knows the quotes")
  func clients() async throws {
    let (rows, _) = try await withServer(Feed(rate: 10_000)) { _, client in
      #expect(try await client.get("/ready", until: "true").contains("\"problems\":[]"))
      #expect(try await client.get("/quotes/S7", until: "price").contains("\"shown\""))
      #expect(try await client.get("/movers", until: "S").contains("S"))
      #expect(try await client.get("/quotes/none", until: "HTTP").contains("404"))
      var events: Set<String> = []
      for try await line in client.lines("/stream?symbols=S1,S2,S3").values(buffering: .unbounded) {
        if line.hasPrefix("event: ") { events.insert(line) }
        if events == ["event: S1", "event: S2", "event: S3"] { break }
      }
    }
    #expect(rows.count > 1_000)
    let second = try QuotesServer(folder: folder, feed: .unixSocket(path: "/nowhere"), port: 0, logger: logger)
    #expect(second.quotes.rows() == rows)
    try FileManager.default.removeItem(atPath: folder)
  }

  /// As many ticks as the socket takes, for `RASP_FLOOD` seconds: to be run by hand, in a release build.
  @Test("a flood", .enabled(if: ProcessInfo.processInfo.environment["RASP_FLOOD"] != nil))
  func flooded() async throws {
    let oldest = Mutex(0.0)
    let (rows, ending) = try await withServer(Feed()) { server, client in
      try await Task.sleep(for: .seconds(3))
      print("folded in 3 s without a slow subscriber:", ticks(server.quotes.rows()))
      server.quotes.events.subscribe { _ in usleep(250) }.detach()
      client.lines(hundred).subscribe { line in
        guard line.hasPrefix("data: "), let readAt = line.split(separator: " ").last.flatMap({ Double($0) }) else {
          return
        }
        oldest.withLock { $0 = max($0, Date().timeIntervalSince1970 - readAt) }
      }.detach()
      let before = ticks(server.quotes.rows())
      try await Task.sleep(for: .seconds(flood ?? 60))
      print("folded with one:", ticks(server.quotes.rows()) - before)
    }
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let memory = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    print("folded in all \(ticks(rows)), oldest \(oldest.withLock { $0 }) s, end after \(ending), \(memory)")
    #expect(oldest.withLock { $0 } < 1)
    #expect(ending < .seconds(2))
    try FileManager.default.removeItem(atPath: folder)
  }

  private func ticks(_ rows: [String: Quote]) -> Int { rows.values.reduce(0) { $0 + $1.ticks } }

  /// Runs a server, with 20 clients that read nothing, until it has been asked to end and has done so.
  private func withServer(
    _ feed: Feed,
    _ body: (QuotesServer, Client) async throws -> Void
  ) async throws -> (rows: [String: Quote], ending: Duration) {
    let source = LineServer.host("127.0.0.1", port: feed.port)
    let server = try QuotesServer(folder: folder, feed: source, port: 0, logger: logger)
    async let running: Void = server.group.run()
    let client = Client(port: try #require(await server.ports.first { _ in true }))
    var silent: [any Channel] = []
    for _ in 0..<20 { silent.append(try await client.openAndReadNothing(hundred)) }
    try await body(server, client)
    let start = ContinuousClock.now
    kill(getpid(), SIGTERM)
    try await running
    let ending = ContinuousClock.now - start
    feed.end()
    for channel in silent { try? await channel.close() }
    return (server.quotes.rows(), ending)
  }
}
