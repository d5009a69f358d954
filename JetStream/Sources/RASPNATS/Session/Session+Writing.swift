import NIOCore

extension Session {
  /// Bytes that are written to the channel at once.
  private static var chunk: Int { 64 * 1024 }

  /// Writes what waits, as far as the socket takes it.
  func writeHeld() {
    guard !isWriting, let connection, connection.isReady else { return }
    // Flushing tells that there is room again before it returns.
    isWriting = true
    var released = 0
    while !held.isEmpty, connection.channel.isWritable, connection.isReady {
      output.clear()
      while let command = held.first, output.readableBytes < Self.chunk {
        held.removeFirst()
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
    case .request(let group):
      if !group.isDone { write(group, to: connection) }
      return group.size
    case .ping(let group):
      guard !group.isDone else { break }
      pings.append(group)
      output.writePing()
    case .subscribe(let inbox):
      inbox.identifier = nextSubscription
      nextSubscription += 1
      subscriptions[inbox.identifier] = inbox
      output.writeSubscribe(to: inbox.subject, queue: inbox.queue, identifier: inbox.identifier)
    case .unsubscribe(let inbox):
      guard subscriptions.removeValue(forKey: inbox.identifier) != nil else { break }
      output.writeUnsubscribe(identifier: inbox.identifier)
    case .close:
      writeLastQuestion(to: connection)
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
        replyPrefix: answerPrefix,
        token: group.firstToken + UInt64(index),
        headers: request.headers
      )
      if output.readableBytes >= Self.chunk {
        connection.channel.write(output, promise: nil)
        output.clear()
      }
    }
  }

  /// Asks for a sign of life before closing: when the answer comes, the server has taken all that was sent before.
  private func writeLastQuestion(to connection: ServerConnection) {
    let group = RequestGroup([NATSRequest(ByteBuffer(), to: "PING")], limit: options.requestTimeLimit)
    // Later, because the answer is taken while the session changes.
    group.completion = { [self] _ in loop.execute { self.finish(nil) } }
    watch(group.deadline)
    pings.append(group)
    output.writePing()
  }
}
