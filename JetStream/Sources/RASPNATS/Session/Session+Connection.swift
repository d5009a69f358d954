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
      guard let nonce = info.nonce else {
        throw .unauthorized(server: info.url, reason: "the server asks for no key")
      }
      request.nkey = key.publicKey
      request.sig = try key.signature(of: nonce)
    }
    return request
  }

  func connectionIsReady(_ connection: ServerConnection) {
    attemptTimer?.cancel()
    servers.currentHasAccepted()
    servers.add(server.otherServers)
    output.clear()
    output.writeSubscribe(to: answerPrefix + "*", queue: nil, identifier: Self.answers)
    for receiver in subscriptions.values.sorted(by: { $0.identifier < $1.identifier }) {
      receiver.writeSubscribe(to: &output)
    }
    connection.send(output)
    scheduleKeepAlive()
    outbox.connected(to: server)
    status.send(.connected(server: server))
    opening?.resume(returning: nil)
    opening = nil
    writePending()
  }

  func connection(_ connection: ServerConnection, receivedInfo json: ByteBuffer) {
    guard let info = try? read(json, of: connection) else { return }
    server = info
    servers.add(info.otherServers)
    if connection.isReady { outbox.connected(to: info) }
    if info.isLameDuck {
      problems.send(
        .refused(server: info.url, reason: "it is about to stop and asks its clients to go to another server")
      )
      servers.avoidCurrent()
    }
  }

  func connection(_ connection: ServerConnection, received message: NATSMessage, subscription: UInt64) {
    if subscription == Self.answers {
      guard let token = message.number(after: answerPrefix.utf8.count) else { return }
      requests.complete(token, with: message, server: server.url)
    } else if let receiver = subscriptions[subscription] {
      if receiver.received.isEmpty { receivers.append(receiver) }
      receiver.received.append(message)
    }
  }

  func connectionReadComplete(_ connection: ServerConnection) {
    for receiver in receivers {
      if let error = receiver.inbox.deliver(&receiver.received) { drop(receiver.inbox, because: error) }
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
      problems.send(.refused(server: server.url, reason: reason))
      return
    }
    let error = NATSError.notPermitted(server: server.url, reason: reason)
    problems.send(error)
    // The subject stands in quotation marks, which end the text of an error.
    if words.contains("subscription to") {
      for receiver in subscriptions.values where reason.contains("\"\(receiver.inbox.subject)\"") {
        drop(receiver.inbox, because: error)
      }
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
    status.send(.disconnected(error))
    connectAgain()
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
