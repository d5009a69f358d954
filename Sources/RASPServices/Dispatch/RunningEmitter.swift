import RASPSupport
import Streams

/// A task that reads a stream of actions and sends them, one after the other.
///
/// The emitter knows the cluster by its `send` alone, which is weak. The task keeps the emitter until the stream ends
/// or the cluster goes away.
///
/// Safe to share: the changing state is behind the lock, and tasks are cancelled after unlocking.
final class RunningEmitter: Sendable {
  private struct Tasks: Sendable {
    var reader: Task<Void, Never>?
    /// The task that sends one action. It is not the reader, so that the reader can be stopped while the sender
    /// finishes.
    var sender: Task<(any Error)?, Never>?
    var isAbandoned = false
    var end: Result<Void, any Error>?
  }

  private let tasks = Lock(Tasks())
  private let emission: Emission
  private let cluster: ObjectIdentifier
  private let report: @Sendable (ServiceDiagnostic) -> Void
  private let listening: Listening
  private let isOver = Latch()

  init(_ emission: Emission, of cluster: ObjectIdentifier, report: @escaping @Sendable (ServiceDiagnostic) -> Void) {
    self.emission = emission
    self.cluster = cluster
    self.report = report
    listening = Listening { report(.lineGrown(place: "the emitter of \(emission.place)")) }
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

  /// Reads no further. A send that is running finishes.
  func stop() {
    listening.stop()
    tasks.withLock { $0.reader }?.cancel()
  }

  /// Reads no further, and cancels a send that is running.
  func abandon() {
    let sender = tasks.withLock { tasks in
      tasks.isAbandoned = true
      return tasks.sender
    }
    stop()
    sender?.cancel()
  }

  private func read() async {
    let end: Result<Void, any Error>
    do {
      try await emission.source.read(listening) { try await self.emit($0, by: $1) }
      // A stream that is cancelled may end as if it had finished, but it has not been consumed.
      try Task.checkCancellation()
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

  /// Sends an action, and returns when the next one may be read. Throws if nothing may be read any more: a stream may
  /// have an action for a task that is cancelled, too, and it would be lost.
  private func emit(_ action: any Action, by cause: CarriedCause) async throws {
    try Task.checkCancellation()
    let span = CallSpan(.emission(emission.branch), of: cluster, in: nil)
    let sender = CallContext.$current.withValue(CallContext(span: span)) {
      cause.startTask {
        AmbientExecutor.startTask { [emission] in
          do {
            try await emission.send(action)
            return nil as (any Error)?
          } catch {
            return error
          }
        }
      }
    }
    let isAbandoned = tasks.withLock { tasks in
      tasks.sender = sender
      return tasks.isAbandoned
    }
    if isAbandoned { sender.cancel() }
    let error = await sender.value
    span.close()
    tasks.withLock { $0.sender = nil }
    if let error { try failed(action, error) }
    try Task.checkCancellation()
  }

  private func failed(_ action: any Action, _ error: any Error) throws {
    if emission.isConsumedAtBootstrap { throw error }
    // After the release of the cluster no report is wanted. An emitter that was stopped has its actions refused, which
    // is no news either; but an action that was still running may have failed.
    if tasks.withLock({ $0.isAbandoned }) || (Task.isCancelled && error is ClusterError) { return }
    report(.emittedActionFailed(action: String(describing: type(of: action)), place: emission.place, error: error))
  }
}
