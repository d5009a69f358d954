import NIOCore
import NIOTLS

/// What a connection tells of.
///
/// - Concurrency: called on the event loop of the connection.
protocol ServerConnectionDelegate: AnyObject {
  /// The server has said first what it is. The result is what the client says about itself.
  func connection(_ connection: ServerConnection, requestFor info: ByteBuffer) throws(NATSError) -> ConnectRequest
  /// The server has accepted the client: everything can be sent.
  func connectionIsReady(_ connection: ServerConnection)
  /// The server has said again what it is.
  func connection(_ connection: ServerConnection, receivedInfo info: ByteBuffer) throws(NATSError)
  func connection(_ connection: ServerConnection, received message: NATSMessage, subscription: UInt64)
  /// Everything of one turn of the event loop has been received.
  func connectionReadComplete(_ connection: ServerConnection)
  func connectionReceivedPong(_ connection: ServerConnection)
  func connection(_ connection: ServerConnection, refused reason: String)
  func connectionIsWritable(_ connection: ServerConnection)
  /// The connection has ended. Called once, last.
  func connection(_ connection: ServerConnection, endedWith error: NATSError)
}

/// One connection to one server: it makes the handshake, parses operations, answers pings, and tells its delegate.
///
/// ```
/// greeting ──INFO──▶ securing ──TLS handshake, CONNECT──▶ accepting ──PONG──▶ ready
///     └───INFO, CONNECT: without TLS──────────────────────────▲
/// ```
///
/// Each of them ends with the channel. With `isFirst` of the settings of TLS, securing comes before greeting.
///
/// ### What is believed
///
/// Before the handshake anybody on the way may have written what comes. So only the first INFO is taken then, and an
/// error, and nothing may stand behind that INFO until the handshake begins. A server that sends what it is under
/// encryption does so behind its first PONG; a second one tells that it has come, so the client is not ready before.
///
/// - Concurrency: confined to the event loop of its channel, which is that of its delegate.
final class ServerConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase { case greeting, securing, accepting, ready, ended }

  let channel: any Channel
  let address: ServerAddress
  /// The delegate holds the connection as long as the connection lasts, so the reference back is cut at the end.
  private var delegate: (any ServerConnectionDelegate)?
  private var parser = ProtocolParser()
  private var phase = Phase.greeting
  /// Why the connection is being closed, if something is known before the channel tells of its end.
  private var failure: NATSError?
  /// What the server has refused last. It closes the connection after most errors.
  private var lastError: NATSError?
  private var hasReceived = false

  /// How the connection is encrypted; `nil` for not at all.
  private let tls: NATSTLS?
  private(set) var isEncrypted = false
  /// What the client says when the handshake is done, if the server has said first what it is.
  private var request: ConnectRequest?
  /// The answers to pings that come before the client is ready.
  private var missingPongs = 0
  /// The pings that came and were not answered yet, because the server does not read.
  private var unanswered = 0

  /// The greatest number of pings that may be unanswered. A server sends one in many seconds.
  static let greatestUnanswered = 1024

  init(channel: any Channel, address: ServerAddress, tls: NATSTLS?, delegate: any ServerConnectionDelegate) {
    self.channel = channel
    self.address = address
    self.tls = tls
    self.delegate = delegate
  }

  /// Whether everything can be sent.
  var isReady: Bool { phase == .ready && failure == nil }

  /// Whether the server had accepted the client before the end.
  private(set) var wasReady = false

  /// Sends bytes, and flushes what was written before.
  func send(_ bytes: ByteBuffer) {
    channel.eventLoop.assertInEventLoop()
    channel.writeAndFlush(bytes, promise: nil)
  }

  /// Ends the connection.
  func end(with error: NATSError) {
    failure = failure ?? error
    channel.close(promise: nil)
  }

  /// Whether something has come since the last call.
  func hasReceivedSinceLastPing() -> Bool {
    defer { hasReceived = false }
    return hasReceived
  }

  /// Encrypts everything from now on.
  func encrypt() throws(NATSError) {
    assert(phase == .greeting && !isEncrypted, "Encryption begins once, before the client says anything.")
    guard let tls else { return }
    phase = .securing
    let handler = try TLSHandlers.handler(for: tls, address: address)
    do {
      try channel.pipeline.syncOperations.addHandler(handler, position: .first)
    } catch {
      throw .tls(server: address.description, reason: "\(error)")
    }
    isEncrypted = true
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase != .ended else { return }
    hasReceived = true
    parser.append(unwrapInboundIn(data))
    do throws(ProtocolViolation) {
      while failure == nil, let operation = try parser.next() {
        try handle(operation)
      }
    } catch {
      end(with: .protocolViolation(server: address.description, reason: error.reason))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    answerPings()
    delegate?.connectionReadComplete(self)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted = event as? TLSUserEvent { secured(context) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if channel.isWritable { answerPings() }
    if channel.isWritable, phase == .ready {
      delegate?.connectionIsWritable(self)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    hasEnded()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if TLSHandlers.isOurs(error), phase != .ready {
      end(with: .tls(server: address.description, reason: "\(error)"))
    } else {
      end(with: broken("\(error)"))
    }
  }

  /// The transport has ended. Before the server has accepted the client, another attempt may succeed.
  private func broken(_ reason: String) -> NATSError {
    wasReady
      ? .refused(server: address.description, reason: reason)
      : .unreachable(servers: [address.description], reason: reason)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    hasEnded()
  }

  private func hasEnded() {
    guard phase != .ended, let delegate else { return }
    phase = .ended
    self.delegate = nil
    delegate.connection(self, endedWith: failure ?? lastError ?? broken("the server has closed the connection"))
  }

  private func handle(_ operation: ServerOperation) throws(ProtocolViolation) {
    switch operation {
    case .info(let json) where phase == .greeting:
      try greet(json)
    case .error(let reason):
      refuse(reason)
    case _ where phase == .greeting || phase == .securing:
      throw ProtocolViolation(reason: "it says something else before it has said what it is")
    case .message(let message, let subscription):
      guard phase == .ready else { throw ProtocolViolation(reason: "a message came before a subscription") }
      delegate?.connection(self, received: message, subscription: subscription)
    case .ping:
      unanswered += 1
      if unanswered >= Self.greatestUnanswered { answerPings() }
      guard unanswered < Self.greatestUnanswered else {
        throw ProtocolViolation(reason: "it does not read the answers to \(unanswered) pings")
      }
    case .pong where phase == .accepting:
      assert(!wasReady && missingPongs > 0, "A server accepts a client once.")
      missingPongs -= 1
      guard missingPongs == 0 else { return }
      phase = .ready
      wasReady = true
      delegate?.connectionIsReady(self)
    case .pong:
      delegate?.connectionReceivedPong(self)
    case .info(let json):
      do throws(NATSError) {
        try delegate?.connection(self, receivedInfo: json)
      } catch {
        end(with: error)
      }
    case .ok:
      break
    }
  }

  /// The server has said what it is: the client says what it is, under encryption if it is wanted.
  private func greet(_ json: ByteBuffer) throws(ProtocolViolation) {
    do throws(NATSError) {
      guard let request = try delegate?.connection(self, requestFor: json) else { return }
      guard tls != nil, !isEncrypted else { return introduce(request) }
      self.request = request
      try encrypt()
    } catch {
      return end(with: error)
    }
    // It would be read as if it had come under encryption.
    if parser.hasUnreadBytes {
      throw ProtocolViolation(reason: "it goes on after it has said what it is, before anything is encrypted")
    }
  }

  /// Both sides have the keys, and the certificate of the server is one that is believed.
  private func secured(_ context: ChannelHandlerContext) {
    guard phase == .securing, failure == nil, let tls else { return }
    do throws(NATSError) {
      try TLSHandlers.checkName(in: context.pipeline, for: tls, address: address)
    } catch {
      return end(with: error)
    }
    if let request {
      introduce(request)
    } else {
      phase = .greeting
    }
  }

  private func introduce(_ request: ConnectRequest) {
    phase = .accepting
    missingPongs = isEncrypted ? 2 : 1
    var bytes = channel.allocator.buffer(capacity: 512)
    request.write(to: &bytes)
    // The answer tells that the server has accepted the client.
    for _ in 0..<missingPongs { bytes.writePing() }
    self.request = nil
    send(bytes)
  }

  /// Answers the pings that have come, unless the server does not read now.
  private func answerPings() {
    guard unanswered > 0, failure == nil, phase != .ended, channel.isWritable else { return }
    var pongs = channel.allocator.buffer(capacity: 8 * unanswered)
    for _ in 0..<unanswered { pongs.writePong() }
    unanswered = 0
    send(pongs)
  }

  private func refuse(_ reason: String) {
    let words = reason.lowercased()
    if words.hasPrefix("authorization") || words.contains("authentication") {
      end(with: .unauthorized(server: address.description, reason: reason))
    } else if words.hasPrefix("permissions violation") {
      delegate?.connection(self, refused: reason)
    } else {
      lastError = .refused(server: address.description, reason: reason)
      delegate?.connection(self, refused: reason)
    }
  }
}
