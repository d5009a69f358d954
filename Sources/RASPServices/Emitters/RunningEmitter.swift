import Streams

/// A task that reads a stream of actions and sends them, one after the other.
///
/// The emitter knows the cluster by its `send` alone, which is weak. The task keeps the emitter until the stream ends
/// or the cluster goes away.
///
/// Safe to share: the changing state is behind the lock, and tasks are cancelled after unlocking.
final class RunningEmitter: Sendable {
  private struct Tasks: Sendable {
    var source: EmitterSource.Opened?
    var reader: Task<Void, any Error>?
    /// The task that sends one action. It is not the reader, so that the reader can be stopped while the sender
    /// finishes.
    var sender: Task<Void, any Error>?
    var isAbandoned = false
  }

  private let tasks = Lock(Tasks())
  private let emission: Emission
  private let report: @Sendable (ServiceDiagnostic) -> Void

  init(_ emission: Emission, report: @escaping @Sendable (ServiceDiagnostic) -> Void) {
    self.emission = emission
    self.report = report
  }

  /// Begins to listen before this returns, and to read.
  func start() {
    let source = emission.source.open()
    // The context of the bootstrap does not belong to the actions that are emitted later.
    let reader = CallContext.$current.withValue(CallContext()) {
      Task { try await self.read(source) }
    }
    let isAbandoned = tasks.withLock { tasks in
      tasks.source = source
      tasks.reader = reader
      return tasks.isAbandoned
    }
    if isAbandoned { stop() }
  }

  /// Returns when the stream has ended and all its actions are done, for an emitter that is consumed at bootstrap.
  func consumed() async throws {
    guard let reader = tasks.withLock({ $0.reader }) else { return }
    try await withTaskCancellationHandler {
      try await reader.value
    } onCancel: {
      abandon()
    }
  }

  /// Reads no further. A send that is running finishes.
  func stop() {
    let (source, reader) = tasks.withLock { ($0.source, $0.reader) }
    source?.close()
    reader?.cancel()
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

  private func read(_ source: EmitterSource.Opened) async throws {
    defer { source.close() }
    do {
      try await source.read { try await self.emit($0) }
    } catch {
      if emission.isConsumedAtBootstrap { throw error }
      // An emitter that was stopped has ended for a known reason.
      if !Task.isCancelled { report(.emitterFailed(place: emission.place, error: error)) }
    }
    // A stream that is cancelled ends as if it had finished, but it has not been consumed.
    if emission.isConsumedAtBootstrap { try Task.checkCancellation() }
  }

  private func emit(_ action: any Action) async throws {
    try Task.checkCancellation()
    let sender = Task { [emission] in try await emission.send(action) }
    let isAbandoned = tasks.withLock { tasks in
      tasks.sender = sender
      return tasks.isAbandoned
    }
    if isAbandoned { sender.cancel() }
    let result = await sender.result
    tasks.withLock { $0.sender = nil }
    do {
      try result.get()
    } catch {
      if emission.isConsumedAtBootstrap { throw error }
      // After the release of the cluster no report is wanted. An emitter that was stopped has its actions refused,
      // which is no news either; but an action that was still running may have failed.
      let isAbandoned = tasks.withLock { $0.isAbandoned }
      if isAbandoned || (Task.isCancelled && error is ClusterError) { return }
      report(.emittedActionFailed(action: String(describing: type(of: action)), place: emission.place, error: error))
    }
  }
}
