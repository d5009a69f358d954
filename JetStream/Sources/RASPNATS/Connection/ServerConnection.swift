import NIOCore

/// What a connection tells of.
///
/// - Concurrency: called on the event loop of the connection.
protocol ServerConnectionDelegate: AnyObject {
  /// The server has said first what it is. The result is what the client says about itself.
  func connection(_ connection: ServerConnection, requestFor info: ByteBuffer) throws(NATSError) -> ConnectRequest
  /// The server has accepted the client: everything can be sent.
  func connectionIsReady(_ connection: ServerConnection)
  /// The server has said again what it is.
  func connection(_ connection: ServerConnection, receivedInfo info: ByteBuffer)
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
/// handshaking ──INFO, CONNECT──▶ accepting ──PONG──▶ ready
///      └──────────────┬────────────────┴───────────────┘
///                     ▼ the channel ends
///                   ended
/// ```
///
/// - Concurrency: confined to the event loop of its channel, which is that of its delegate.
final class ServerConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase { case handshaking, accepting, ready, ended }

  let channel: any Channel
  let address: ServerAddress
  /// The delegate holds the connection as long as the connection lasts, so the reference back is cut at the end.
  private var delegate: (any ServerConnectionDelegate)?
  private var parser = ProtocolParser()
  private var phase = Phase.handshaking
  /// Why the connection is being closed, if something is known before the channel tells of its end.
  private var failure: NATSError?
  /// What the server has refused last. It closes the connection after most errors.
  private var lastError: NATSError?
  private var hasReceived = false

  /// How the connection is encrypted; `nil` for not at all.
  private let tls: NATSTLS?
  private(set) var isEncrypted = false

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
    assert(phase == .handshaking && !isEncrypted, "Encryption begins once, before the client says anything.")
    guard let tls else { return }
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
        handle(operation)
      }
    } catch {
      end(with: .protocolViolation(server: address.description, reason: error.reason))
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    delegate?.connectionReadComplete(self)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
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

  private func handle(_ operation: ServerOperation) {
    switch operation {
    case .message(let message, let subscription):
      delegate?.connection(self, received: message, subscription: subscription)
    case .ping:
      var pong = channel.allocator.buffer(capacity: 8)
      pong.writePong()
      send(pong)
    case .pong where phase == .accepting:
      assert(!wasReady, "A server accepts a client once.")
      phase = .ready
      wasReady = true
      delegate?.connectionIsReady(self)
    case .pong:
      delegate?.connectionReceivedPong(self)
    case .info(let json) where phase == .handshaking:
      shakeHands(json)
    case .info(let json):
      delegate?.connection(self, receivedInfo: json)
    case .error(let reason):
      refuse(reason)
    case .ok:
      break
    }
  }

  private func shakeHands(_ json: ByteBuffer) {
    do throws(NATSError) {
      guard let request = try delegate?.connection(self, requestFor: json) else { return }
      // What is written waits until both sides have agreed on the keys.
      if tls != nil, !isEncrypted { try encrypt() }
      phase = .accepting
      var bytes = channel.allocator.buffer(capacity: 512)
      request.write(to: &bytes)
      // The answer to this ping tells that the server has accepted the client.
      bytes.writePing()
      send(bytes)
    } catch {
      end(with: error)
    }
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
