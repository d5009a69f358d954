import NIOCore
import RASPNATS
import ServerSupport
import Testing

@Suite(needsServer)
struct Closing {
  @Test func whatWasPublishedBeforeArrives() async throws {
    let server = try await NATSServer.start()
    let reader = try await NATSClient.connect(to: server.url)
    let subscription = try await reader.subscribe(to: "a")
    try await reader.flush()
    let writer = try await NATSClient.connect(to: server.url)
    for _ in 0..<1000 { try await writer.publish(ByteBuffer(string: "x"), to: "a") }
    await writer.close()
    await writer.close()
    var count = 0
    while count < 1000 { count += try #require(try await subscription.nextBatch()).count }
    await #expect(throws: NATSError.closed) { try await writer.publish(ByteBuffer(), to: "a") }
    await #expect(throws: NATSError.closed) { try await writer.request(ByteBuffer(), to: "a") }
    await #expect(throws: NATSError.closed) { try await writer.flush() }
    await #expect(throws: NATSError.closed) { try await writer.subscribe(to: "a") }
    await reader.close()
  }

  @Test func requestsThatWaitFail() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let silent = try await client.subscribe(to: "silent")
    let answer = Task { try await client.request(ByteBuffer(), to: "silent") }
    #expect(try await silent.nextBatch()?.count == 1)
    await client.close()
    await #expect(throws: NATSError.closed) { try await answer.value }
    #expect(try await silent.nextBatch() == nil)
  }

  @Test func aClientWithoutAConnectionCanBeClosed() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    server.kill()
    _ = await client.waitUntilDisconnected()
    let answer = Task { try await client.request(ByteBuffer(), to: "a") }
    await client.close()
    await #expect(throws: NATSError.closed) { try await answer.value }
  }

  @Test func theLastReferenceClosesTheClient() async throws {
    let server = try await NATSServer.start()
    var client = try await NATSClient.connect(to: server.url) as NATSClient?
    let status = try #require(client).status.values(buffering: .unbounded)
    client = nil
    var last: NATSStatus?
    for await next in status { last = next }
    guard case .closed = last else {
      Issue.record("It is closed, not \(String(describing: last)).")
      return
    }
  }

  @Test func aRequestCanBeCancelled() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let silent = try await client.subscribe(to: "silent")
    let task = Task { try await client.request(ByteBuffer(), to: "silent") }
    #expect(try await silent.nextBatch()?.count == 1)
    task.cancel()
    await #expect(throws: NATSError.cancelled) { try await task.value }
    let early = Task {
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
      return try await client.request(ByteBuffer(), to: "silent")
    }
    early.cancel()
    await #expect(throws: NATSError.cancelled) { try await early.value }
    let reading = Task {
      while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(1)) }
      return try await silent.nextBatch()
    }
    reading.cancel()
    await #expect(throws: NATSError.cancelled) { try await reading.value }
    await client.close()
  }

  @Test func aRequestHasATimeLimit() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let silent = try await client.subscribe(to: "silent")
    let limit = Duration.milliseconds(20)
    await #expect(throws: NATSError.timedOut(server: server.url, subject: "silent", limit: limit)) {
      try await client.request(ByteBuffer(), to: "silent", timeLimit: limit)
    }
    #expect(try await silent.nextBatch()?.count == 1)
    await client.close()
  }
}
