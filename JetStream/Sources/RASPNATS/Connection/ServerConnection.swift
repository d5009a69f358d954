import NIOCore

/// What a connection tells of.
///
/// - Concurrency: called on the event loop of the connection.
protocol ServerConnectionOwner: AnyObject {
  /// What the server says first. The answer is what the client says about itself.
  func connection(_ connection: ServerConnection, greetedBy info: ByteBuffer) throws(NATSError) -> ConnectRequest
  /// The server has accepted the client: everything can be sent.
  func connectionIsReady(_ connection: ServerConnection)
  /// What the server says about itself again.
  func connection(_ connection: ServerConnection, informedBy info: ByteBuffer)
  func connection(_ connection: ServerConnection, received message: NATSMessage, subscription: UInt64)
  /// Everything of one turn of the event loop has been received.
  func connectionHasReadAll(_ connection: ServerConnection)
  func connectionReceivedPong(_ connection: ServerConnection)
  func connection(_ connection: ServerConnection, refused reason: String)
  func connectionIsWritable(_ connection: ServerConnection)
  /// The connection has ended. Called once, last.
  func connection(_ connection: ServerConnection, endedWith error: NATSError)
}

/// One connection to one server: it greets, makes operations of bytes, answers signs of life, and tells its owner.
///
/// - Concurrency: confined to the event loop of its channel, which is that of its owner: timers and futures that capture
///   it run there, too. That is why it may be captured without a check by the compiler.
final class ServerConnection: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase { case greeting, accepting, ready, ended }

  let channel: any Channel
  let address: ServerAddress
  /// The owner holds the connection as long as the connection lasts, so the reference back is cut at the end.
  private var owner: (any ServerConnectionOwner)?
  private var parser = ProtocolParser()
  private var phase = Phase.greeting
  /// Why the connection is being closed, if something is known before the channel tells of its end.
  private var failure: NATSError?
  /// What the server has refused last. It closes the connection after most of it.
  private var lastWords: NATSError?
  /// Bytes have come since the last question.
  private var hasHeard = false

  /// How the connection is encrypted; `nil` for not at all.
  private let tls: NATSTLS?
  private(set) var isEncrypted = false

  init(channel: any Channel, address: ServerAddress, tls: NATSTLS?, owner: any ServerConnectionOwner) {
    self.channel = channel
    self.address = address
    self.tls = tls
    self.owner = owner
  }

  /// Whether everything can be sent.
  var isReady: Bool { phase == .ready && failure == nil }

  /// Whether the server had accepted the client before the end.
  private(set) var wasReady = false

  /// Sends bytes. They are on the way when the event loop comes to it.
  func send(_ bytes: ByteBuffer) {
    channel.writeAndFlush(bytes, promise: nil)
  }

  /// Ends the connection.
  func end(with error: NATSError) {
    failure = failure ?? error
    channel.close(promise: nil)
  }

  /// Whether something has come since the last call.
  func hasHeardSinceLastQuestion() -> Bool {
    defer { hasHeard = false }
    return hasHeard
  }

  /// Encrypts everything from now on.
  func encrypt() throws(NATSError) {
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
    hasHeard = true
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
    owner?.connectionHasReadAll(self)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if channel.isWritable, phase == .ready {
      owner?.connectionIsWritable(self)
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
    guard phase != .ended, let owner else { return }
    phase = .ended
    self.owner = nil
    owner.connection(self, endedWith: failure ?? lastWords ?? broken("the server has closed the connection"))
  }

  private func handle(_ operation: ServerOperation) {
    switch operation {
    case .message(let message, let subscription):
      owner?.connection(self, received: message, subscription: subscription)
    case .ping:
      var pong = channel.allocator.buffer(capacity: 8)
      pong.writePong()
      send(pong)
    case .pong where phase == .accepting:
      phase = .ready
      wasReady = true
      owner?.connectionIsReady(self)
    case .pong:
      owner?.connectionReceivedPong(self)
    case .info(let json) where phase == .greeting:
      greet(with: json)
    case .info(let json):
      owner?.connection(self, informedBy: json)
    case .error(let reason):
      refuse(reason)
    case .ok:
      break
    }
  }

  private func greet(with json: ByteBuffer) {
    do throws(NATSError) {
      guard let request = try owner?.connection(self, greetedBy: json) else { return }
      // What is written waits until both sides have agreed on the keys.
      if tls != nil, !isEncrypted { try encrypt() }
      phase = .accepting
      var bytes = channel.allocator.buffer(capacity: 512)
      request.write(to: &bytes)
      // The answer to this question tells that the server has accepted the client.
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
      owner?.connection(self, refused: reason)
    } else {
      lastWords = .refused(server: address.description, reason: reason)
      owner?.connection(self, refused: reason)
    }
  }
}
