import Streams

/// A task that reads a stream of actions and sends them, one after the other.
///
/// It knows the cluster by its `send` alone, which is weak. The task keeps this object until the stream ends or the cluster
/// goes away.
///
/// Safe to share: what changes is behind the lock; tasks are cancelled after unlocking.
final class RunningEmitter: Sendable {
  private struct Tasks: Sendable {
    var source: EmitterSource.Opened?
    var reader: Task<Void, any Error>?
    /// The action that is under way. Apart from the reader, so that the one can be stopped and the other let finish.
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

  /// Begins to listen, before this returns, and to read.
  func start() {
    let source = emission.source.open()
    // Nothing of what surrounds the bootstrap belongs to what is emitted later.
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

  /// Returns when the stream has ended and all its actions are done. For an emitter that is consumed at bootstrap.
  func consumed() async throws {
    guard let reader = tasks.withLock({ $0.reader }) else { return }
    try await withTaskCancellationHandler {
      try await reader.value
    } onCancel: {
      abandon()
    }
  }

  /// Reads no further. An action that is under way is let finish.
  func stop() {
    let (source, reader) = tasks.withLock { ($0.source, $0.reader) }
    source?.close()
    reader?.cancel()
  }

  /// Reads no further, and cancels what is under way.
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
      // Whoever has stopped the emitter knows that it stopped.
      if !Task.isCancelled { report(.emitterFailed(place: emission.place, error: error)) }
    }
    // A stream that is cancelled ends as if it had finished, but has not been consumed.
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
      // Whoever released the cluster does not care, and whoever stopped it knows that it takes no more. But an action that
      // was let finish may have failed.
      let isAbandoned = tasks.withLock { $0.isAbandoned }
      if isAbandoned || (Task.isCancelled && error is ClusterError) { return }
      report(.emittedActionFailed(action: String(describing: type(of: action)), place: emission.place, error: error))
    }
  }
}
