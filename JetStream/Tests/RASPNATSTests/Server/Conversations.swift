import NIOCore
import RASPNATS
import ServerSupport
import Testing

@Suite(needsServer)
struct Conversations {
  @Test func publishedMessagesArriveInOrder() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let subscription = try await client.subscribe(to: "numbers.*")
    for number in 0..<1000 {
      try await client.publish(
        ByteBuffer(integer: number),
        to: "numbers.\(number)",
        headers: number % 2 == 0 ? [:] : ["Number": "\(number)"]
      )
    }
    var received = 0
    for try await message in subscription.messages {
      #expect(message.subject == "numbers.\(received)")
      #expect(message.payload == ByteBuffer(integer: received))
      #expect(message.headers["Number"] == (received % 2 == 0 ? nil : "\(received)"))
      received += 1
      if received == 1000 { break }
    }
    try await client.flush()
    await client.close()
  }

  @Test func aRequestHasItsAnswer() async throws {
    let server = try await NATSServer.start()
    let client = try await NATSClient.connect(to: server.url)
    let questions = try await client.subscribe(to: "double")
    async let answering: Void = {
      for try await question in questions.messages {
        guard let reply = question.reply else { continue }
        var payload = question.payload
        try await client.publish(ByteBuffer(integer: 2 * (payload.readInteger(as: Int.self) ?? 0)), to: reply)
      }
    }()
    let answer = try await client.request(ByteBuffer(integer: 21), to: "double")
    #expect(answer.payload == ByteBuffer(integer: 42))
    let requests = (0..<1000).map { NATSRequest(ByteBuffer(integer: $0), to: "double") }
    let answers = await client.requests(requests)
    #expect(try answers.map { try $0.get().payload } == (0..<1000).map { ByteBuffer(integer: 2 * $0) })
    await #expect(throws: NATSError.noResponders(server: server.url, subject: "nobody")) {
      try await client.request(ByteBuffer(), to: "nobody")
    }
    await client.close()
    try await answering
  }
}
