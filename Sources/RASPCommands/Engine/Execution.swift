import Streams

/// A command on its way: what ``Engine/execute(_:)`` hands back, to be ignored, awaited or cancelled.
///
///     engine.execute(BookList())                                // fire and forget
///     let books = try await engine.execute(BookList()).value    // wait for the result
///     let search = engine.execute(BookSearch("Swift"))
///     search.cancel()
///
/// Releasing it does nothing: the command goes on. It keeps neither the engine nor any reaction alive once it is over.
///
/// Everything may be called from any thread and from inside handlers and reactions.
public final class Execution<Output: Sendable>: Sendable {
  @usableFromInline typealias State = ExecutionState<CheckedContinuation<Void, Never>>

  private let command: any Command.Type
  private let state: Lock<State>
  /// Written once, by the one who ended the run, before `state` says that it is settled; read only by those to whom it said
  /// so. Until then it holds a placeholder.
  @usableFromInline let result: Confined<CommandOutcome<Output>>

  @inlinable
  convenience init(of command: any Command.Type) {
    self.init(of: command, placeholder: Confined(.stopped))
  }

  @usableFromInline
  init(of command: any Command.Type, placeholder: consuming Confined<CommandOutcome<Output>>) {
    self.command = command
    state = Lock(State())
    result = placeholder
  }

  /// How it ended; `nil` while it is under way.
  ///
  /// By then the last event has been published, so reactions have heard of it, unless somebody else was delivering events
  /// of this type of command: then they hear of it after that.
  public var outcome: CommandOutcome<Output>? { state.withLock(\.isSettled) ? result.value : nil }

  /// What became of the last event, the one that tells the reactions of the outcome; `nil` while the command is under way,
  /// and if there was none to publish: a command that was stopped, or has no handler.
  public var publication: Publication? { state.withLock(\.publication) }

  /// The result, when it is there.
  ///
  /// Awaiting it makes the execution part of the task that waits: if that task is cancelled, so is the execution, for
  /// everybody. Any number of tasks may wait.
  ///
  /// - Throws: what the handler or a middleware threw; `CancellationError` if the execution was cancelled;
  ///   ``EngineError/noHandler(_:)`` if nobody handles the command, ``EngineError/stopped(_:)`` if a middleware stopped
  ///   it.
  public var value: Output {
    get async throws { try await wait().get(command) }
  }

  /// Waits until it has ended, and says how. If the task that waits is cancelled, so is the execution.
  public func wait() async -> CommandOutcome<Output> {
    if let outcome { return outcome }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if state.withLock({ $0.arrived(waiter) }) { waiter.resume() }
      }
    } onCancel: {
      // Called while the runtime holds a lock of the task. So the reactions hear of it somewhere else.
      guard let cancellation = state.withLock({ $0.cancellation }), cancellation.begin() else { return }
      Task { cancellation.complete() }
    }
    return result.value
  }

  /// Cancels the execution, unless it has ended.
  ///
  /// The task of the handler is cancelled, and with it middleware that waits. Whatever they still publish, return or throw
  /// is dropped, and so are events that wait in line; the reactions hear of a `CancellationError` as the last event, so
  /// that nobody waits for ever. The outcome is that error.
  ///
  /// - Returns: whether it was in time.
  @discardableResult
  public func cancel() -> Bool {
    guard let cancellation = state.withLock({ $0.cancellation }), cancellation.begin() else { return false }
    cancellation.complete()
    return true
  }

  func begin(_ cancellation: ExecutionCancellation) {
    state.withLock { $0.began(cancellation) }
  }

  @inlinable
  func settle(_ outcome: CommandOutcome<Output>, _ publication: Publication?) {
    result.value = outcome
    settled(publication)
  }

  @usableFromInline
  func settled(_ publication: Publication?) {
    let (waiters, released) = state.withLock { $0.settled(publication) }
    _ = consume released
    for waiter in waiters { waiter.resume() }
  }
}
