import Foundation
import Logging
import NIOCore
import NIOPosix
import RASPSources
import Streams
import Synchronization
import Testing

@testable import Quotes

@Suite("the quotes service", .serialized, .timeLimit(.minutes(5)))
struct QuotesTests {
  @Test("clients get what is newest, the process ends while they read, and a restart knows the quotes")
  func clients() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let feed = try await Feed(rate: 10_000)
    let before = try await withServer(folder, feed) { server, port in
      let client = Client(port: port)
      #expect(try await client.get("/ready", until: "true").contains("\"problems\":[]"))
      #expect(try await client.get("/quotes/S7", until: "price").contains("\"shown\""))
      #expect(try await client.get("/movers", until: "S").contains("S"))
      #expect(try await client.get("/quotes/none", until: "HTTP").contains("404"))
      async let _: Void = client.openAndRead(nothingFor: .seconds(10))
      var symbols: Set<String> = []
      for try await line in client.stream(["S1", "S2", "S3"]).values(buffering: .unbounded) {
        if line.hasPrefix("event: ") { symbols.insert(line) }
        if symbols.count == 3 { break }
      }
      kill(getpid(), SIGTERM)
      return server.quotes
    }
    feed.end()
    let kept = before.snapshot.rows
    let second = try QuotesServer(Options(folder: folder, feed: .host("127.0.0.1", port: 1), port: 0), logger: .quiet)
    #expect(second.quotes.snapshot.rows == kept)
    #expect(kept.count > 1_000)
  }

  /// Ten times what can be folded, for `RASP_FLOOD` seconds: to be run by hand, in a release build.
  @Test("a flood", .enabled(if: ProcessInfo.processInfo.environment["RASP_FLOOD"] != nil))
  func flood() async throws {
    let seconds = Double(ProcessInfo.processInfo.environment["RASP_FLOOD"] ?? "") ?? 60
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let feed = try await Feed()
    let oldest = Mutex(0.0)
    let end = Mutex(ContinuousClock.now)
    let quotes = try await withServer(folder, feed) { server, port in
      // A subscriber that takes 100 µs makes 10,000 ticks a second of what would be more than 100,000.
      let slow = server.quotes.events.subscribe { _ in usleep(100) }
      let client = Client(port: port)
      let symbols = (0..<100).map { "S\($0)" }
      async let _: Void = withDiscardingTaskGroup { group in
        for _ in 0..<20 { group.addTask { try? await client.openAndRead(nothingFor: .seconds(seconds)) } }
      }
      let reading = client.stream(symbols).subscribe { line in
        guard line.hasPrefix("data: "), let readAt = line.split(separator: " ").last.flatMap({ Double($0) }) else {
          return
        }
        oldest.withLock { $0 = max($0, Date().timeIntervalSince1970 - readAt) }
      }
      try await Task.sleep(for: .seconds(seconds))
      slow.cancel()
      _ = reading
      end.withLock { $0 = .now }
      kill(getpid(), SIGTERM)
      return server.quotes
    }
    let ending = ContinuousClock.now - end.withLock { $0 }
    feed.end()
    let folded = quotes.snapshot.rows.values.reduce(0) { $0 + $1.ticks }
    let memory = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      .split(separator: "\n").first { $0.hasPrefix("VmHWM") }
    print("folded \(folded), oldest value \(oldest.withLock { $0 }) s, end after \(ending), \(memory ?? "")")
    #expect(oldest.withLock { $0 } < 1)
    #expect(ending < .seconds(2))
  }

  /// Runs a server until it has ended by itself.
  private func withServer<Result: Sendable>(
    _ folder: String,
    _ feed: Feed,
    _ body: @Sendable (QuotesServer, Int) async throws -> Result
  ) async throws -> Result {
    let options = Options(folder: folder, feed: .host("127.0.0.1", port: feed.port), port: 0)
    let server = try QuotesServer(options, logger: .quiet)
    async let running: Void = server.group.run()
    let port = try #require(await server.port.first { _ in true })
    let result = try await body(server, port)
    try await running
    return result
  }
}

/// A client over a bare socket.
struct Client: Sendable {
  let port: Int

  /// The answers to a request that is repeated until one contains a text.
  func get(_ path: String, until text: String) async throws -> String {
    while true {
      var answer = ""
      let request = "GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
      for try await line in lines(request).values(buffering: .unbounded) { answer += line + "\n" }
      if answer.contains(text) { return answer }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  func stream(_ symbols: [String]) -> Observable<String, any Error> {
    lines("GET /stream?symbols=\(symbols.joined(separator: ",")) HTTP/1.1\r\nHost: localhost\r\n\r\n")
  }

  /// Opens a stream, and lets its bytes stay in the socket.
  func openAndRead(nothingFor time: Duration) async throws {
    let symbols = (0..<100).map { "S\($0)" }.joined(separator: ",")
    let request = "GET /stream?symbols=\(symbols) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .channelOption(.autoRead, value: false)
      .connect(host: "127.0.0.1", port: port)
      .get()
    try await channel.writeAndFlush(ByteBuffer(string: request))
    try? await Task.sleep(for: time)
    try? await channel.close()
  }

  private func lines(_ request: String) -> Observable<String, any Error> {
    .lines(from: .host("127.0.0.1", port: port), sending: request)
  }
}

extension Logger {
  static var quiet: Logger { Logger(label: "quotes") { _ in SwiftLogNoOpLogHandler() } }
}
