import Streams

/// A command that is being carried out. ``Engine/execute(_:)`` returns it, to be ignored, awaited or cancelled.
///
///     engine.execute(BookList())                                // fire and forget
///     let books = try await engine.execute(BookList()).value    // wait for the result
///     let search = engine.execute(BookSearch("Swift"))
///     search.cancel()
///
/// Releasing it does nothing: the command goes on. Once it is over, it keeps neither the engine nor any reaction alive.
///
/// - Concurrency: everything may be called from any thread, and from inside handlers and reactions.
public final class Execution<Output: Sendable>: Sendable {
  @usableFromInline typealias State = ExecutionState<CheckedContinuation<Void, Never>>

  private let command: any Command.Type
  private let state: Lock<State>
  /// Written by the one who ended the run, before `state` says that it is settled.
  @usableFromInline let result: WriteOnce<CommandOutcome<Output>>

  /// Makes `result` where the type of the output is known, so that making an execution looks up no generic types.
  @inlinable
  convenience init(of command: any Command.Type) {
    self.init(of: command, result: WriteOnce())
  }

  @usableFromInline
  init(of command: any Command.Type, result: consuming WriteOnce<CommandOutcome<Output>>) {
    self.command = command
    state = Lock(State())
    self.result = result
  }

  /// The outcome; `nil` while the command is running.
  ///
  /// - Ordering: when there is an outcome, the last event has been published. The reactions have got it, unless another
  ///   thread was delivering events of this type of command. Then that thread delivers it afterwards.
  /// - Complexity: O(1).
  public var outcome: CommandOutcome<Output>? { state.withLock(\.isSettled) ? result.value : nil }

  /// The result of publishing the last event, which tells the reactions the outcome. It is `nil` while the command is
  /// running, and if there was no last event: for a command that was stopped, or has no handler.
  ///
  /// - Complexity: O(1).
  public var publication: Publication? { state.withLock(\.publication) }

  /// The result. Reading it waits for the end of the execution.
  ///
  /// Awaiting the result makes the execution part of the task that waits: if that task is cancelled, so is the
  /// execution, also for all others that wait. Any number of tasks may wait.
  ///
  /// - Errors: throws the error that the handler or a middleware threw; `CancellationError` if the execution was
  ///   cancelled; ``EngineError/noHandler(_:)`` if the command has no handler; ``EngineError/stopped(_:)`` if a
  ///   middleware stopped it.
  public var value: Output {
    get async throws { try await wait().get(command) }
  }

  /// Waits for the end of the execution.
  ///
  /// If the task that waits is cancelled, so is the execution.
  ///
  /// - Returns: the outcome.
  public func wait() async -> CommandOutcome<Output> {
    if let outcome { return outcome }
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        if state.withLock({ $0.arrived(waiter) }) { waiter.resume() }
      }
    } onCancel: {
      // The runtime calls this while it holds a lock of the task. So the reactions are called in another task.
      guard let cancellation = state.withLock({ $0.cancellation }), cancellation.begin() else { return }
      Task { cancellation.complete() }
    }
    return result.value
  }

  /// Cancels the execution, unless it has ended.
  ///
  /// The task of the handler is cancelled, and with it middleware that waits. Everything that they still publish,
  /// return or throw is dropped, and so are events that have not been delivered. The outcome is a `CancellationError`.
  ///
  /// - Ordering: the reactions get the `CancellationError` as the last event, so that none of them waits for ever.
  /// - Concurrency: may be called from any thread.
  /// - Returns: `true` if the execution had not ended.
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
    result.write(outcome)
    settled(publication)
  }

  @usableFromInline
  func settled(_ publication: Publication?) {
    let (waiters, released) = state.withLock { $0.settled(publication) }
    _ = consume released
    for waiter in waiters { waiter.resume() }
  }
}
