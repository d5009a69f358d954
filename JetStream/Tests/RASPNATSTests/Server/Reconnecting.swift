import Foundation
import NIOCore
import RASPNATS
import ServerSupport
import Streams
import Testing

@Suite(needsServer)
struct Reconnecting {
  @Test func everythingGoesOnAfterTheServerWasKilled() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: "nats://localhost:\(server.port)")
    let subscription = try await client.subscribe(to: "s")
    let silent = try await client.subscribe(to: "silent")
    let lost = Task { try await client.request(ByteBuffer(), to: "silent") }
    #expect(try await silent.nextBatch()?.count == 1)
    server.kill()
    let error = await #expect(throws: NATSError.self) { try await lost.value }
    guard case .connectionLost = error else {
      Issue.record("What was sent may have been done, so it is lost, not \(String(describing: error)).")
      return
    }
    _ = await client.waitUntilDisconnected()
    try await client.publish(ByteBuffer(string: "kept"), to: "s")
    async let asked = client.request(ByteBuffer(string: "?"), to: "s", timeLimit: .seconds(60))
    try await server.restart()
    var iterator = subscription.messages.makeAsyncIterator()
    #expect(try await iterator.next()?.payload == ByteBuffer(string: "kept"))
    let question = try #require(try await iterator.next())
    try await client.publish(ByteBuffer(string: "!"), to: try #require(question.reply))
    #expect(try await asked.payload == ByteBuffer(string: "!"))
    await client.close()
    #expect(try await iterator.next() == nil)
  }

  @Test func anotherServerOfTheListIsUsed() async throws {
    let first = try await NATSServer.start()
    let second = try await NATSServer.start()
    let client = try await NATSClient.connect(to: first.url, second.url)
    #expect(client.server.url == first.url)
    first.kill()
    await client.waitUntilConnected(to: second.url)
    #expect(client.server.url == second.url)
    await client.close()
  }

  @Test func aServerThatIsSilentIsLeft() async throws {
    let server = try await NATSServer.start()
    var options = NATSOptions()
    options.pingInterval = .milliseconds(100)
    let client = try await NATSClient.connect(to: server.url, options: options)
    var statuses = client.status.values(buffering: .unbounded).makeAsyncIterator()
    server.signal(SIGSTOP)
    var isStale = false
    while !isStale, let status = await statuses.next() {
      if case .disconnected(.stale) = status { isStale = true }
    }
    #expect(isStale)
    server.signal(SIGCONT)
    await client.waitUntilConnected(to: server.url)
    await client.close()
  }

  @Test func aServerThatIsAboutToStopIsTold() async throws {
    let server = try await NATSServer.start(configuration: #"lame_duck_duration: "30s", lame_duck_grace_period: "1s""#)
    let client = try await NATSClient.connect(to: server.url)
    var problems = client.problems.values(buffering: .unbounded).makeAsyncIterator()
    server.signal(SIGUSR2)
    #expect(await problems.next()?.description.contains("about to stop") == true)
    await client.close()
  }

  @Test func theClientGivesUpAfterTheRoundsThatItWasGiven() async throws {
    let server = try await NATSServer.start()
    var options = NATSOptions()
    options.reconnection = NATSBackoff(first: .milliseconds(1), rounds: 2)
    let client = try await NATSClient.connect(to: server.url, options: options)
    let subscription = try await client.subscribe(to: "a")
    server.kill()
    await client.waitUntilClosed()
    await #expect(throws: NATSError.self) { try await subscription.nextBatch() }
    await #expect(throws: NATSError.closed) { try await client.publish(ByteBuffer(), to: "a") }
  }

  @Test func theFirstConnectionHasATimeLimitAndCanBeCancelled() async throws {
    try await SilentServer.withPort { port in
      var options = NATSOptions()
      options.connectTimeLimit = .milliseconds(50)
      let error = await #expect(throws: NATSError.self) {
        try await NATSClient.connect(to: "nats://127.0.0.1:\(port)", options: options)
      }
      #expect(error?.isTemporary == true)
      #expect(error?.description.contains("127.0.0.1:\(port)") == true)
      let task = Task { try await NATSClient.connect(to: "nats://127.0.0.1:\(port)") }
      task.cancel()
      await #expect(throws: NATSError.cancelled) { try await task.value }
    }
    await #expect(throws: NATSError.self) { try await NATSClient.connect(to: "nats://127.0.0.1:1") }
    await #expect(throws: NATSError.self) { try await NATSClient.connect(to: "nats://no-such-host.invalid") }
  }
}
