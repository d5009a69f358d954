import NIOCore
import NIOPosix

extension Session {
  /// Begins with the first server.
  func open(_ continuation: CheckedContinuation<NATSError?, Never>) {
    // The caller may have been cancelled first.
    guard !isClosed else { return continuation.resume(returning: .cancelled) }
    assert(opening == nil && connection == nil, "A session is opened once.")
    opening = continuation
    connect()
  }

  /// Connects to the server whose turn it is.
  func connect() {
    guard !isClosed else { return }
    assert(connection == nil, "There is one connection at a time.")
    let address = servers.current
    let limit = TimeAmount(options.connectTimeLimit)
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(limit)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelOption(.writeBufferWaterMark, value: .init(low: 512 * 1024, high: 1024 * 1024))
      .channelOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 2048, initial: 16384, maximum: 262_144)
      )
      // Nothing is read before the handler is there.
      .channelOption(.autoRead, value: false)
    bootstrap.connect(host: address.host, port: address.port).assumeIsolated().whenComplete { [self] result in
      switch result {
      case .success(let channel): use(channel, of: address)
      case .failure(let error):
        attemptHasFailed(.unreachable(servers: [address.description], reason: Self.reason(of: error)))
      }
    }
  }

  private func use(_ channel: any Channel, of address: ServerAddress) {
    guard !isClosed else { return channel.close(promise: nil) }
    let tls = options.tls ?? (address.usesTLS ? NATSTLS() : nil)
    let connection = ServerConnection(channel: channel, address: address, tls: tls, delegate: self)
    self.connection = connection
    do {
      try channel.pipeline.syncOperations.addHandler(connection)
      if tls?.isFirst == true { try connection.encrypt() }
    } catch {
      let error = error as? NATSError ?? .refused(server: address.description, reason: "\(error)")
      return connection.end(with: error)
    }
    attemptTimer = loop.assumeIsolated().scheduleTask(in: TimeAmount(options.connectTimeLimit)) { [options] in
      let reason = "it has not answered within \(options.connectTimeLimit)"
      connection.end(with: .unreachable(servers: [address.description], reason: reason))
    }
    channel.setOption(.autoRead, value: true).assumeIsolated().whenFailure { error in
      connection.end(with: .refused(server: address.description, reason: "\(error)"))
    }
  }

  /// The server whose turn it was cannot be used: the next one, at once or after a while.
  func attemptHasFailed(_ error: NATSError) {
    attemptTimer?.cancel()
    guard !isClosed else { return }
    if isClosing { return finish(nil) }
    servers.currentHasFailed()
    if opening != nil {
      return servers.isAtStartOfRound ? finish(error) : connect()
    }
    outbox.disconnected(error)
    logger.debug("A connection to NATS could not be made.", metadata: ["reason": "\(error)"])
    status.send(.disconnected(error))
    if let rounds = options.reconnection.rounds, servers.rounds >= rounds { return finish(error) }
    connectAgain()
  }

  /// Connects at once in the middle of a round, and after a while at its start.
  func connectAgain() {
    guard servers.isAtStartOfRound else { return connect() }
    let delay = options.reconnection.delay(afterRounds: servers.rounds, chance: Double.random(in: 0...1))
    loop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [weak self] in self?.connect() }
  }

  /// The words of an error of the transport, without what is said elsewhere.
  static func reason(of error: any Error) -> String {
    if let error = error as? NIOConnectionError {
      if let first = error.connectionErrors.first { return reason(of: first.error) }
      if error.dnsAError != nil || error.dnsAAAAError != nil { return "the name \(error.host) is not known" }
    }
    if case ChannelError.connectTimeout(let limit) = error {
      return "there was no answer within \(Double(limit.nanoseconds) / 1e9) s"
    }
    return "\(error)"
  }
}
