import NIOCore

extension NATSClient {
  /// Publishes a message.
  ///
  /// It returns when the message is queued, and waits only if the server takes less than is
  /// published. Whether the server has it, ``flush()`` tells, or the answer of a request.
  ///
  /// - Parameters:
  ///   - payload: what it carries.
  ///   - subject: where it goes.
  ///   - headers: its headers.
  ///   - reply: the subject for an answer.
  /// - Errors: ``NATSError/payloadTooLarge(server:bytes:greatest:)``, ``NATSError/invalidSubject(_:)``,
  ///   ``NATSError/invalidHeader(_:)``, ``NATSError/closed``, and ``NATSError/disconnected(server:reason:)`` if there
  ///   is no connection and `writeLimit` is reached. In all of them nothing is sent. ``NATSError/cancelled`` if the
  ///   task is cancelled while it waits: the message is queued, and is sent.
  package func publish(
    _ payload: ByteBuffer,
    to subject: String,
    headers: NATSHeaders = [:],
    reply: String? = nil
  ) async throws(NATSError) {
    let request = NATSRequest(payload, to: subject, headers: headers)
    try request.check(against: session.outbox.server.info)
    if let reply, !SubjectRules.isSubject(reply) { throw .invalidSubject(reply) }
    if try session.put(.publish(request, reply: reply), bytes: request.size) {
      guard await session.outbox.waitForCapacity() else { throw .cancelled }
    }
  }

  /// Sends a request and waits for its answer.
  ///
  /// - Parameters:
  ///   - payload: what it carries.
  ///   - subject: where it goes.
  ///   - headers: its headers.
  ///   - timeLimit: how long to wait; `requestTimeLimit` of the options if you say nothing.
  /// - Errors: those of ``publish(_:to:headers:reply:)``, and ``NATSError/noResponders(server:subject:)``,
  ///   ``NATSError/timedOut(server:subject:limit:)``, ``NATSError/connectionLost(server:reason:)``,
  ///   ``NATSError/notSent(server:subject:limit:)`` if the time was over before it could be sent,
  ///   ``NATSError/notPermitted(server:reason:)`` and ``NATSError/cancelled``.
  package func request(
    _ payload: ByteBuffer,
    to subject: String,
    headers: NATSHeaders = [:],
    timeLimit: Duration? = nil
  ) async throws(NATSError) -> NATSMessage {
    let request = NATSRequest(payload, to: subject, headers: headers)
    try request.check(against: session.outbox.server.info)
    return try await results(of: [request], timeLimit: timeLimit)[0].get()
  }

  /// Sends several requests one behind the other, without waiting between them, and waits for all answers.
  ///
  /// - Returns: for each request its answer or its error. One that cannot be sent does not keep the others back.
  /// - Ordering: they are written in this order, with nothing between them.
  package func requests(
    _ requests: [NATSRequest],
    timeLimit: Duration? = nil
  ) async -> [Result<NATSMessage, NATSError>] {
    let server = session.outbox.server
    var errors: [Int: NATSError] = [:]
    for (index, request) in requests.enumerated() {
      do throws(NATSError) { try request.check(against: server.info) } catch { errors[index] = error }
    }
    if errors.isEmpty { return await results(of: requests, timeLimit: timeLimit) }
    let valid = requests.indices.filter { errors[$0] == nil }
    var results = await results(of: valid.map { requests[$0] }, timeLimit: timeLimit)[...]
    return requests.indices.compactMap { index in errors[index].map { .failure($0) } ?? results.popFirst() }
  }

  /// Waits until the server has taken everything that this client has sent before.
  ///
  /// - Errors: ``NATSError/connectionLost(server:reason:)``, ``NATSError/timedOut(server:subject:limit:)``,
  ///   ``NATSError/closed``, ``NATSError/cancelled``.
  package func flush() async throws(NATSError) {
    let ping = NATSRequest(ByteBuffer(), to: "PING")
    let group = RequestGroup([ping], limit: session.options.requestTimeLimit, on: session.loop)
    _ = try await results(of: group, bytes: 0) { .ping(group, $0) }[0].get()
  }

  private func results(of requests: [NATSRequest], timeLimit: Duration?) async -> RequestGroup.Results {
    guard !requests.isEmpty else { return [] }
    let group = RequestGroup(requests, limit: timeLimit ?? session.options.requestTimeLimit, on: session.loop)
    return await results(of: group, bytes: group.size) { .request(group, $0) }
  }

  private func results(
    of group: RequestGroup,
    bytes: Int,
    by command: (@escaping RequestGroup.Completion) -> SessionCommand
  ) async -> RequestGroup.Results {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<RequestGroup.Results, Never>) in
        do throws(NATSError) {
          try session.put(command { continuation.resume(returning: $0) }, bytes: bytes)
        } catch {
          // The session has not got the group.
          continuation.resume(returning: Array(repeating: .failure(error), count: group.requests.count))
        }
      }
    } onCancel: {
      session.putEnd(.cancel(group))
    }
  }
}
