import NIOCore

extension Session {
  /// Bytes that are written to the channel at once.
  private static var chunk: Int { 64 * 1024 }

  /// Writes the pending commands, as far as the socket takes them.
  func writePending() {
    guard !isWriting, let connection, connection.isReady else { return }
    // Flushing tells that the channel is writable again before it returns.
    isWriting = true
    var released = 0
    while !pending.isEmpty, connection.channel.isWritable, connection.isReady {
      output.clear()
      while let command = pending.first, output.readableBytes < Self.chunk {
        pending.removeFirst()
        released += write(command, to: connection)
      }
      connection.send(output)
      if output.capacity > 8 * Self.chunk { output = ByteBuffer() }
    }
    isWriting = false
    if released > 0 { outbox.release(bytes: released) }
  }

  /// Adds a command to what is written.
  ///
  /// - Returns: the bytes that it counted for in the outbox.
  private func write(_ command: SessionCommand, to connection: ServerConnection) -> Int {
    switch command {
    case .publish(let request, let reply):
      output.writePublish(request.payload, to: request.subject, reply: reply, headers: request.headers)
      return request.size
    case .request(let group, _):
      if !group.isDone, group.deadline <= .now() {
        // This process may have been stopped for long. Who has asked does not count on an effect any more.
        group.fail { notSent($0, group) }
      }
      if !group.isDone { write(group, to: connection) }
      return group.size
    case .ping(let group, _):
      guard !group.isDone else { break }
      pings.append(group)
      output.writePing()
    case .subscribe(let inbox):
      let receiver = Receiver(inbox: inbox, identifier: nextSubscription)
      nextSubscription += 1
      subscriptions[receiver.identifier] = receiver
      identifiers[ObjectIdentifier(inbox)] = receiver.identifier
      receiver.writeSubscribe(to: &output)
    case .unsubscribe(let inbox):
      guard let identifier = identifiers.removeValue(forKey: ObjectIdentifier(inbox)) else { break }
      let receiver = subscriptions.removeValue(forKey: identifier)
      assert(receiver?.inbox === inbox, "A subscription is in both tables.")
      output.writeUnsubscribe(identifier: identifier)
    case .close:
      writeClosingPing(to: connection)
    case .cancel:
      assertionFailure("A cancellation is not written.")
    }
    return 0
  }

  private func write(_ group: RequestGroup, to connection: ServerConnection) {
    requests.add(group)
    for (index, request) in group.requests.enumerated() {
      output.writeRequest(
        request.payload,
        to: request.subject,
        replyPrefix: answerPrefix.text,
        token: group.firstToken + UInt64(index),
        headers: request.headers
      )
      if output.readableBytes >= Self.chunk {
        connection.channel.write(output, promise: nil)
        output.clear()
      }
    }
  }

  /// Sends a ping before closing: when the answer comes, the server has taken all that was sent before.
  private func writeClosingPing(to connection: ServerConnection) {
    let group = RequestGroup([NATSRequest(ByteBuffer(), to: "PING")], limit: options.requestTimeLimit, on: loop)
    let session = NIOLoopBound(self, eventLoop: loop)
    // Later, because the answer is taken while the session changes.
    group.begin { _ in session.eventLoop.execute { session.value.finish(nil) } }
    watch(group.deadline)
    pings.append(group)
    output.writePing()
  }
}
