import RASPPrimitives
import RASPSupport
import Streams

/// A task that reads a stream of actions, and tasks that send them: one after the other, or as the rule of the emitter
/// says.
///
/// The emitter knows the cluster by its `send` alone, which is weak. The task keeps the emitter until the stream ends
/// or the cluster goes away.
///
/// Safe to share: the changing state is behind the lock, and tasks are cancelled after unlocking.
final class RunningEmitter: Sendable {
  /// An action on its way.
  private struct Sending: Sendable {
    let number: Int
    /// Fires when it is the turn of the action.
    let turn = Latch()
  }

  private struct Tasks: Sendable {
    var reader: Task<Void, Never>?
    /// The actions on their way, by their numbers, with the tasks that send them. None is the reader, so that the
    /// reader can be stopped while they finish.
    var senders: [Int: Task<Void, Never>?] = [:]
    var newest = 0
    /// The reader, if it waits until at most so many actions are on their way.
    var waiter: (count: Int, continuation: UnsafeContinuation<Void, Never>)?
    /// The first action that failed, for an emitter that is consumed at bootstrap.
    var failure: (any Error)?
    var isStopped = false
    var isAbandoned = false
    var end: Result<Void, any Error>?

    mutating func begin() -> Int {
      newest += 1
      senders[newest] = .some(nil)
      return newest
    }

    /// - Returns: the reader, to be resumed after unlocking, if it has waited for this.
    mutating func end(_ number: Int) -> UnsafeContinuation<Void, Never>? {
      senders[number] = nil
      guard let waiter, senders.count <= waiter.count else { return nil }
      defer { self.waiter = nil }
      return waiter.continuation
    }
  }

  private let tasks = Lock(Tasks())
  private let emission: Emission
  private let cluster: ObjectIdentifier
  private let report: @Sendable (ServiceDiagnostic) -> Void
  private let listening: Listening
  private let isOver = Latch()
  /// `nil` if no action asks for another one.
  private let lines: OverlapLines<Sending>?
  /// The number of actions that may be on their way when the next one is read.
  private let room: Int

  init(_ emission: Emission, of cluster: ObjectIdentifier, report: @escaping @Sendable (ServiceDiagnostic) -> Void) {
    self.emission = emission
    self.cluster = cluster
    self.report = report
    listening = Listening { report(.lineGrown(place: "the emitter of \(emission.place)")) }
    let rule = emission.overlap
    let isOneByOne = rule.policy == .serial && rule.key == nil
    room = isOneByOne ? 0 : Emission.mostActions - 1
    lines = isOneByOne || rule.policy == .concurrent ? nil : OverlapLines(rule.policy) { $0.turn.open() }
  }

  /// Begins to read. Returns when the source has been opened.
  func start() async {
    // The context of the bootstrap does not belong to the actions that are emitted later.
    let reader = CallContext.$current.withValue(CallContext()) {
      CarriedCause.unknown.startTask { AmbientExecutor.startTask { await self.read() } }
    }
    let isAbandoned = tasks.withLock { tasks in
      tasks.reader = reader
      return tasks.isAbandoned
    }
    if isAbandoned { stop() }
    await listening.waitUntilBegun()
  }

  /// Returns when the stream has ended and all its actions are done, for an emitter that is consumed at bootstrap. A
  /// stream that goes on although it was cancelled is not waited for.
  func consumed() async throws {
    await withTaskCancellationHandler {
      await isOver.wait()
    } onCancel: {
      abandon()
      isOver.open()
    }
    guard let end = tasks.withLock({ $0.end }) else { throw CancellationError() }
    try end.get()
  }

  /// Reads no further. Sends that are running finish.
  func stop() {
    listening.stop()
    let reader = tasks.withLock { tasks in
      tasks.isStopped = true
      return tasks.reader
    }
    reader?.cancel()
  }

  /// Reads no further, and cancels the sends that are running.
  func abandon() {
    let senders = tasks.withLock { tasks in
      tasks.isAbandoned = true
      return tasks.senders
    }
    stop()
    for sender in senders.values { sender?.cancel() }
  }

  private func read() async {
    let end: Result<Void, any Error>
    do {
      try await emission.source.read(listening) { try await self.emit($0, by: $1) }
      try await waitUntilSent(but: 0)
      end = .success(())
    } catch {
      // An emitter that was stopped has ended for a known reason.
      if !emission.isConsumedAtBootstrap, !Task.isCancelled {
        report(.emitterFailed(place: emission.place, error: error))
      }
      end = .failure(error)
    }
    listening.stop()
    tasks.withLock { $0.end = end }
    isOver.open()
  }

  // MARK: Sending

  /// Begins to send an action, and returns when the next one may be read.
  private func emit(_ action: any Action, by cause: CarriedCause) async throws {
    try Task.checkCancellation()
    let sending = Sending(number: tasks.withLock { $0.begin() })
    guard let lines else {
      send(action, by: cause, sending, nil)
      return try await waitUntilSent(but: room)
    }
    let (line, answer) = lines.arrived(sending, under: emission.overlap.key?(action))
    switch answer {
    case .start(let number):
      sending.turn.open()
      send(action, by: cause, sending, (line, number))
    case .replace(let number, let replaced):
      sending.turn.open()
      tasks.withLock { $0.senders[replaced.number] ?? nil }?.cancel()
      send(action, by: cause, sending, (line, number))
    case .wait(let number):
      send(action, by: cause, sending, (line, number))
    case .drop:
      ended(sending)
    }
    try await waitUntilSent(but: room)
  }

  /// Starts the task that sends an action when its turn comes.
  private func send(
    _ action: any Action,
    by cause: CarriedCause,
    _ sending: Sending,
    _ place: (line: OverlapLine<Sending>, number: Int)?
  ) {
    let span = CallSpan(.emission(emission.branch), of: cluster, in: nil)
    let sender = CallContext.$current.withValue(CallContext(span: span)) {
      cause.startTask {
        AmbientExecutor.startTask { [self] in
          if place != nil { await sending.turn.wait() }
          do {
            if place != nil { try Task.checkCancellation() }
            try await emission.send(action)
          } catch {
            failed(action, error)
          }
          span.close()
          if let place { place.line.left(place.number) }
          ended(sending)
        }
      }
    }
    let isAbandoned = tasks.withLock { tasks in
      // It may have ended already.
      if tasks.senders[sending.number] != nil { tasks.senders[sending.number] = .some(sender) }
      return tasks.isAbandoned
    }
    if isAbandoned { sender.cancel() }
  }

  private func ended(_ sending: Sending) {
    tasks.withLock { $0.end(sending.number) }?.resume()
  }

  private func failed(_ action: any Action, _ error: any Error) {
    let (isAbandoned, isStopped) = tasks.withLock { ($0.isAbandoned, $0.isStopped) }
    // A newer action has taken the place of this one, here or in a service. Where actions come one by one, nothing here
    // replaces them, and an error is one.
    if !isAbandoned, room > 0, error is CancellationError { return }
    if emission.isConsumedAtBootstrap { return tasks.withLock { $0.failure = $0.failure ?? error } }
    // After the release of the cluster no report is wanted. An emitter that was stopped has its actions refused, which
    // is no news either; but an action that was still running may have failed.
    if isAbandoned || (isStopped && error is ClusterError) { return }
    report(.emittedActionFailed(action: String(describing: type(of: action)), place: emission.place, error: error))
  }

  /// Returns when at most so many actions are on their way, and throws if nothing may be read any more: a stream may
  /// have an action for a task that is cancelled, too, and it would be lost. A stream that is cancelled may end as if
  /// it had finished, but it has not been consumed.
  private func waitUntilSent(but count: Int) async throws {
    await withUnsafeContinuation { continuation in
      let isThere = tasks.withLock { tasks in
        if tasks.senders.count <= count { return true }
        tasks.waiter = (count, continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
    if let failure = tasks.withLock({ $0.failure }) { throw failure }
    try Task.checkCancellation()
  }
}
