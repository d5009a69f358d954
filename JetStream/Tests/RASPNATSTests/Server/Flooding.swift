import Foundation
import NIOCore
import RASPNATS
import ServerSupport
import Testing

@Suite(needsServer)
struct Flooding {
  @Test func aHundredThousandRequestsAreAnsweredInOrder() async throws {
    let server = try await NATSServer.start()
    var options = NATSOptions()
    options.requestTimeLimit = .seconds(120)
    let client = try await NATSClient.connect(to: server.url, options: options)
    let stream = #"{"name":"EV","subjects":["ev"],"storage":"memory"}"#
    _ = try await client.request(ByteBuffer(string: stream), to: "$JS.API.STREAM.CREATE.EV")
    let requests = Array(repeating: NATSRequest(ByteBuffer(string: "x"), to: "ev"), count: 100_000)
    let results = await client.requests(requests)
    #expect(results.count == requests.count)
    let wrong = results.indices.first { index in
      guard case .success(let answer) = results[index] else { return true }
      return String(buffer: answer.payload).filter { $0 != " " } != #"{"stream":"EV","seq":\#(index + 1)}"#
    }
    #expect(wrong == nil)
    await client.close()
  }

  @Test func writersWaitForAServerThatIsStoppedAndNothingIsLost() async throws {
    let server = try await NATSServer.start()
    var options = NATSOptions()
    options.writeLimit = 100_000
    let client = try await NATSClient.connect(to: server.url, options: options)
    let subscription = try await client.subscribe(to: "a")
    server.signal(SIGSTOP)
    async let writing: Void = {
      for number in 0..<300 {
        var payload = ByteBuffer(integer: number)
        payload.writeRepeatingByte(1, count: 65_528)
        try await client.publish(payload, to: "a")
      }
    }()
    server.signal(SIGCONT)
    var iterator = subscription.messages.makeAsyncIterator()
    for number in 0..<300 {
      let message = try #require(try await iterator.next())
      #expect(message.payload.readableBytes == 65_536)
      #expect(message.payload.getInteger(at: message.payload.readerIndex) == number)
    }
    try await writing
    await client.close()
  }

  @Test func aSubscriptionThatIsNotReadEndsWithAnError() async throws {
    let server = try await NATSServer.start()
    var options = NATSOptions()
    options.subscriptionLimit = 100_000
    let client = try await NATSClient.connect(to: server.url, options: options)
    let subscription = try await client.subscribe(to: "a")
    for number in 0..<50 {
      var payload = ByteBuffer(integer: number)
      payload.writeRepeatingByte(1, count: 10_000)
      try await client.publish(payload, to: "a")
    }
    // After the second answer everything of the first turn was handed over.
    try await client.flush()
    try await client.flush()
    var next = 0
    let error = await #expect(throws: NATSError.self) {
      while let batch = try await subscription.nextBatch() {
        for message in batch {
          #expect(message.payload.getInteger(at: message.payload.readerIndex) == next)
          next += 1
        }
      }
    }
    guard case .slowConsumer(subject: "a", _, _) = error else {
      Issue.record("It was read too late, not \(String(describing: error)).")
      return
    }
    #expect(next >= 10)
    await client.close()
  }

  @Test func messagesWithoutAPayloadCount() async throws {
    let server = try await NATSServer.start()
    var options = NATSOptions()
    options.subscriptionLimit = 100_000
    let client = try await NATSClient.connect(to: server.url, options: options)
    let subscription = try await client.subscribe(to: "a")
    for _ in 0..<5_000 { try await client.publish(ByteBuffer(), to: "a") }
    try await client.flush()
    try await client.flush()
    await #expect {
      while try await subscription.nextBatch() != nil {}
    } throws: { error in
      if case NATSError.slowConsumer = error { true } else { false }
    }
    await client.close()
  }

  @Test(arguments: [
    #"{"max_payload":0}"#, #"{"max_payload":-1}"#, "{",
    #"{"connect_urls":[\#(Array(repeating: #""a:1""#, count: 1025).joined(separator: ","))]}"#,
  ])
  func whatAServerSaysOfItselfHasLimits(json: String) async throws {
    for first in ["INFO \(json)\r\n", "INFO {}\r\nPONG\r\nINFO \(json)\r\n"] {
      try await SilentServer.withPort(saying: first) { port in
        var options = NATSOptions()
        options.reconnection.rounds = 1
        let error: NATSError?
        do throws(NATSError) {
          let client = try await NATSClient.connect(to: "nats://127.0.0.1:\(port)", options: options)
          error = await client.waitUntilDisconnected()
          await client.close()
        } catch let failure {
          error = failure
        }
        guard case .protocolViolation = error else {
          Issue.record("It is refused, not \(String(describing: error)).")
          return
        }
      }
    }
  }

  @Test func aMessageThatIsTooLongIsNotSent() async throws {
    let server = try await NATSServer.start(configuration: "max_payload: 1000")
    let client = try await NATSClient.connect(to: server.url)
    let error = NATSError.payloadTooLarge(server: server.url, bytes: 1001, greatest: 1000)
    await #expect(throws: error) { try await client.publish(ByteBuffer(repeating: 1, count: 1001), to: "a") }
    let results = await client.requests([1001, 1000].map { NATSRequest(ByteBuffer(repeating: 1, count: $0), to: "a") })
    #expect(throws: error) { try results[0].get() }
    #expect(throws: NATSError.noResponders(server: server.url, subject: "a")) { try results[1].get() }
    await client.close()
  }
}
