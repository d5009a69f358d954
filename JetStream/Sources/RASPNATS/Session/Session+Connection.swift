import Logging
import NIOCore

extension Session: ServerConnectionDelegate {
  func connection(_ connection: ServerConnection, requestFor json: ByteBuffer) throws(NATSError) -> ConnectRequest {
    let info = try read(json, of: connection)
    server = info
    guard !info.tlsRequired || connection.isEncrypted || connection.address.usesTLS || options.tls != nil else {
      throw .tls(server: info.url, reason: "the server speaks only TLS, and the address and the options do not name it")
    }
    var request = ConnectRequest()
    request.name = options.name
    request.tlsRequired = connection.address.usesTLS || options.tls != nil
    switch options.credentials {
    case .none:
      request.user = connection.address.user
      request.pass = connection.address.password
    case .user(let name, let password):
      request.user = name
      request.pass = password
    case .token(let token):
      request.authToken = token
    case .key(let seed):
      let key = try UserKey(seed: seed)
      request.nkey = key.publicKey
      request.sig = try key.signature(of: nonce(of: info))
    case .file(let path):
      let file = try CredentialsFile(path: path)
      request.jwt = file.jwt
      request.sig = try file.key.signature(of: nonce(of: info))
    }
    return request
  }

  private func nonce(of info: NATSServerInfo) throws(NATSError) -> String {
    guard let nonce = info.nonce else {
      throw .unauthorized(server: info.url, reason: "the server asks for no key")
    }
    return nonce
  }

  func connectionIsReady(_ connection: ServerConnection) {
    attemptTimer?.cancel()
    servers.currentHasAccepted()
    learn(from: connection)
    output.clear()
    output.writeSubscribe(to: answerPrefix.text + "*", identifier: Self.answers)
    for receiver in subscriptions.values.sorted(by: { $0.identifier < $1.identifier }) {
      receiver.writeSubscribe(to: &output)
    }
    connection.send(output)
    scheduleKeepAlive()
    outbox.connected(to: server)
    let metadata: Logger.Metadata = [
      "server": "\(server.url)", "name": "\(server.name)", "version": "\(server.version)",
    ]
    if opening == nil {
      logger.notice("The connection to NATS is there again.", metadata: metadata)
    } else {
      logger.debug("There is a connection to NATS.", metadata: metadata)
    }
    status.send(.connected(server: server))
    opening?.resume(returning: nil)
    opening = nil
    writePending()
  }

  func connection(_ connection: ServerConnection, receivedInfo json: ByteBuffer) throws(NATSError) {
    let info = try read(json, of: connection)
    server = info
    guard connection.isReady else { return }
    learn(from: connection)
    outbox.connected(to: info)
    if info.isLameDuck {
      report(.refused(server: info.url, reason: "it is about to stop and asks its clients to go to another server"))
      servers.avoidCurrent()
    }
  }

  /// Takes the other servers that the present one has named.
  private func learn(from connection: ServerConnection) {
    let name = TLSHandlers.name(for: options.tls, address: connection.address)
    servers.learn(server.otherServers, from: connection.address, verifiedBy: name)
  }

  func connection(_ connection: ServerConnection, received message: NATSMessage, subscription: UInt64) {
    if subscription == Self.answers {
      guard let token = message.number(behind: answerPrefix) else { return misdelivered(message, to: "answers") }
      requests.complete(token, with: message, server: server.url)
    } else if let receiver = subscriptions[subscription] {
      guard receiver.inbox.delivers(message) else { return misdelivered(message, to: receiver.inbox.subject) }
      if receiver.received.isEmpty { receivers.append(receiver) }
      receiver.received.append(message)
    }
  }

  /// A message has a subject that the subscription to which it came has not asked for.
  private func misdelivered(_ message: NATSMessage, to subscription: String) {
    let reason = "a message to \"\(message.subject)\" came to the subscription to \"\(subscription)\", and was dropped"
    // One of them tells what is wrong, and more would be a flood.
    guard misdelivery != reason else { return }
    misdelivery = reason
    report(.protocolViolation(server: server.url, reason: reason))
  }

  func connectionReadComplete(_ connection: ServerConnection) {
    for receiver in receivers {
      if let error = receiver.inbox.deliver(&receiver.received) {
        logger.warning("A subscription to NATS has ended.", metadata: ["reason": "\(error)"])
        drop(receiver.inbox, because: error)
      }
    }
    receivers.removeAll(keepingCapacity: true)
  }

  func connectionReceivedPong(_ connection: ServerConnection) {
    guard let waiter = pings.popFirst() else { return }
    waiter?.complete(0, with: .success(.empty))
  }

  func connection(_ connection: ServerConnection, refused reason: String) {
    let words = reason.lowercased()
    guard words.hasPrefix("permissions violation") else {
      report(.refused(server: server.url, reason: reason))
      return
    }
    let error = NATSError.notPermitted(server: server.url, reason: reason)
    report(error)
    // The subject stands in quotation marks, which end the text of an error.
    if words.contains("subscription to") {
      for receiver in subscriptions.values where reason.contains("\"\(receiver.inbox.subject)\"") {
        drop(receiver.inbox, because: error)
      }
      // Without answers each request would wait for its time limit.
      if reason.contains("\"\(answerPrefix.text)*\"") { requests.fail { _, _ in error } }
    } else {
      requests.fail(where: { $0.requests.contains { reason.contains("\"\($0.subject)\"") } }) { _, _ in error }
    }
  }

  func connectionIsWritable(_ connection: ServerConnection) {
    writePending()
  }

  func connection(_ connection: ServerConnection, endedWith error: NATSError) {
    guard connection === self.connection else { return }
    self.connection = nil
    keepAlive?.cancel()
    guard connection.wasReady else { return attemptHasFailed(error) }
    connectionReadComplete(connection)
    let lost = NATSError.connectionLost(server: server.url, reason: "\(error)")
    requests.fail { _, _ in lost }
    failPings(with: lost)
    if isClosing { return finish(nil) }
    outbox.disconnected(error)
    logger.warning("The connection to NATS has ended.", metadata: ["server": "\(server.url)", "reason": "\(error)"])
    status.send(.disconnected(error))
    connectAgain()
  }

  /// Tells of what ends no connection.
  private func report(_ problem: NATSError) {
    let level: Logger.Level = if case .refused = problem { .notice } else { .error }
    logger.log(level: level, "A problem with NATS.", metadata: ["reason": "\(problem)"])
    problems.send(problem)
  }

  private func drop(_ inbox: SubscriptionInbox, because error: NATSError) {
    // It stays in the table until the server is told. What comes until then is refused by the inbox, which has ended.
    inbox.end(with: error)
    pending.append(.unsubscribe(inbox))
    writePending()
  }

  private func read(_ json: ByteBuffer, of connection: ServerConnection) throws(NATSError) -> NATSServerInfo {
    do throws(ProtocolViolation) {
      return try NATSServerInfo(json: json, url: connection.address.description)
    } catch {
      throw .protocolViolation(server: connection.address.description, reason: error.reason)
    }
  }

  private func scheduleKeepAlive() {
    keepAlive = loop.assumeIsolated().scheduleTask(in: TimeAmount(options.pingInterval)) { [weak self] in
      self?.sendKeepAlive()
    }
  }

  /// Sends a ping. A connection on which nothing has come since the one before is given up.
  private func sendKeepAlive() {
    guard let connection, connection.isReady else { return }
    if !connection.hasReceivedSinceLastPing(), pings.contains(where: { $0 == nil }) {
      return connection.end(with: .stale(server: server.url, silence: options.pingInterval * 2))
    }
    pings.append(nil)
    var bytes = ByteBuffer()
    bytes.writePing()
    connection.send(bytes)
    scheduleKeepAlive()
  }
}
