import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import RASPNATS

/// Records what a connection tells of.
private final class Delegate: ServerConnectionDelegate {
  var told: [String] = []
  var refusal: NATSError?
  var end: NATSError?

  func connection(_ connection: ServerConnection, requestFor info: ByteBuffer) throws(NATSError) -> ConnectRequest {
    told.append("handshake")
    if let refusal { throw refusal }
    return ConnectRequest(name: "test")
  }

  func connectionIsReady(_ connection: ServerConnection) { told.append("ready") }
  func connection(_ connection: ServerConnection, receivedInfo info: ByteBuffer) { told.append("informed") }
  func connection(_ connection: ServerConnection, received message: NATSMessage, subscription: UInt64) {
    told.append("message \(message.subject) \(subscription)")
  }
  func connectionReadComplete(_ connection: ServerConnection) { told.append("all") }
  func connectionReceivedPong(_ connection: ServerConnection) { told.append("pong") }
  func connection(_ connection: ServerConnection, refused reason: String) { told.append("refused \(reason)") }
  func connectionIsWritable(_ connection: ServerConnection) {}
  func connection(_ connection: ServerConnection, endedWith error: NATSError) {
    told.append("ended \(error)")
    end = error
  }
}

/// A connection without a socket. Made and used on one thread, as its event loop wants it.
private struct Conversation {
  let delegate = Delegate()
  let channel = EmbeddedChannel()
  let connection: ServerConnection

  init(tls: NATSTLS? = nil) throws {
    let address = try ServerAddress("nats://there:4222")
    connection = ServerConnection(channel: channel, address: address, tls: tls, delegate: delegate)
    try channel.pipeline.syncOperations.addHandler(connection)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 4222)).wait()
  }

  var told: [String] { delegate.told }

  func hear(_ text: String) throws {
    try channel.writeInbound(ByteBuffer(string: text))
  }

  func said() throws -> String? {
    try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
  }

  /// The server closes the connection, or the client has.
  func end() {
    channel.close(promise: nil)
    channel.embeddedEventLoop.run()
  }
}

struct Handshakes {
  @Test func theClientSaysWhoItIsAndIsReadyWhenTheServerAnswers() throws {
    let server = try Conversation()
    try server.hear("INFO {}\r")
    #expect(server.told == ["all"])
    try server.hear("\n")
    let words = try #require(try server.said())
    #expect(words.hasPrefix("CONNECT {"))
    #expect(words.contains(#""name":"test""#))
    #expect(words.contains(#""no_responders":true"#))
    #expect(words.hasSuffix("}\r\nPING\r\n"))
    #expect(!server.connection.isReady)
    try server.hear("PONG\r\nINFO {}\r\nPING\r\nMSG a 7 1\r\nx\r\nPONG\r\n")
    #expect(server.connection.isReady)
    #expect(try server.said() == "PONG\r\n")
    #expect(server.told == ["all", "handshake", "all", "ready", "informed", "message a 7", "pong", "all"])
  }

  @Test func aTransportThatBreaksBeforeTheServerHasAcceptedMayBeTriedAgain() throws {
    let reset = try Conversation()
    reset.channel.pipeline.fireErrorCaught(IOError(errnoCode: 104, reason: "read"))
    reset.end()
    let closed = try Conversation()
    try closed.hear("INFO {}\r\n")
    closed.end()
    for server in [reset, closed] {
      #expect(server.delegate.end?.isTemporary == true)
      #expect(server.told.last?.contains("nats://there:4222") == true)
    }
  }

  @Test func aRefusedClientHearsWhy() throws {
    let server = try Conversation()
    try server.hear("INFO {}\r\n-ERR 'Authorization Violation'\r\n")
    server.end()
    #expect(!server.connection.wasReady)
    let last = try #require(server.told.last)
    #expect(last.contains("Authorization Violation"))
    #expect(last.contains("`credentials` of NATSOptions"))
    #expect(last.contains("nats://there:4222"))
  }

  @Test(arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "MSG a 1 x\r\n"])
  func whatDoesNotSpeakTheProtocolIsLeft(text: String) throws {
    let server = try Conversation()
    try server.hear(text)
    server.end()
    #expect(!server.channel.isActive)
    #expect(server.told.last?.contains("does not speak the NATS protocol") == true)
  }

  @Test(arguments: ["PONG\r\n", "PING\r\n", "MSG a 2 0\r\n\r\n", "+OK\r\n", "PONG\r\nINFO {}\r\n"])
  func nothingComesBeforeWhatTheServerIs(text: String) throws {
    let server = try Conversation()
    try server.hear(text)
    server.end()
    #expect(server.told.last?.contains("before it has said what it is") == true)
    #expect(try server.said() == nil)
  }

  @Test(arguments: ["PONG\r\n", "PONG\r\nPONG\r\n", "MSG a 2 0\r\n\r\n", "P", "INFO {}\r\n"])
  func nothingComesBeforeTheEncryption(text: String) throws {
    let server = try Conversation(tls: NATSTLS())
    try server.hear("INFO {}\r\n" + text)
    server.end()
    #expect(server.told.last?.contains("before anything is encrypted") == true)
    #expect(server.told.allSatisfy { !$0.hasPrefix("ready") && !$0.hasPrefix("message") })
    // What it says first in TLS is no text.
    while let words = try server.said() { #expect(!words.contains("CONNECT")) }
  }

  @Test func aMessageBeforeTheFirstSubscriptionIsRefused() throws {
    let server = try Conversation()
    try server.hear("INFO {}\r\nMSG a 1 0\r\n\r\n")
    server.end()
    #expect(server.told.last?.contains("before a subscription") == true)
  }

  @Test func pingsAreAnsweredAsLongAsTheServerReads() throws {
    let server = try Conversation()
    let pings = String(repeating: "PING\r\n", count: 10_000)
    try server.hear("INFO {}\r\nPONG\r\n" + pings)
    var count = 0
    while let words = try server.said() { count += words.components(separatedBy: "PONG").count - 1 }
    #expect(count == 10_000)
    #expect(server.connection.isReady)
    server.channel.isWritable = false
    try server.hear(String(repeating: "PING\r\n", count: 100))
    #expect(try server.said() == nil)
    server.channel.isWritable = true
    server.channel.pipeline.fireChannelWritabilityChanged()
    #expect(try server.said()?.components(separatedBy: "PONG").count == 101)
    server.channel.isWritable = false
    try server.hear(pings)
    server.end()
    #expect(server.told.last?.contains("does not read the answers") == true)
  }

  @Test func theLastWordsOfAServerAreTheReasonOfTheEnd() throws {
    let server = try Conversation()
    try server.hear("INFO {}\r\nPONG\r\n-ERR 'Stale Connection'\r\n")
    server.end()
    #expect(server.told.contains("refused Stale Connection"))
    #expect(server.told.filter { $0.hasPrefix("ended") }.count == 1)
    #expect(server.told.last?.contains("Stale Connection") == true)
  }
}
