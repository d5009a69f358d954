/// The two steps of cancelling an execution.
@usableFromInline
struct ExecutionCancellation: Sendable {
  /// Ends the execution, unless it has ended, and cancels its task.
  let begin: @Sendable () -> Bool
  /// Publishes the last event and settles the execution, once `begin` has returned `true`.
  let complete: @Sendable () -> Void

  init(begin: @escaping @Sendable () -> Bool, complete: @escaping @Sendable () -> Void) {
    self.begin = begin
    self.complete = complete
  }
}

/// The state of an execution: a pure machine, event in and action out. ``Execution`` is the shell that locks, keeps the
/// outcome, and resumes the waiters.
///
///     running ──began──▶ running, can be cancelled ──settled──▶ settled
///        └────────────────────settled──────────────────────────▲
///
/// It does not know the type of the output, so that making and releasing an execution does not look up generic types.
@usableFromInline
struct ExecutionState<Waiter: Sendable>: Sendable {
  /// Is `true` if there is an outcome.
  @usableFromInline private(set) var isSettled = false
  @usableFromInline private(set) var publication: Publication?
  private(set) var cancellation: ExecutionCancellation?
  private var waiters: [Waiter] = []

  init() {}

  /// The execution has a task now. A task that is already done has settled before.
  mutating func began(_ cancellation: ExecutionCancellation) {
    if !isSettled { self.cancellation = cancellation }
  }

  /// - Returns: the waiters to be resumed, and the cancellation to be released, after unlocking.
  mutating func settled(_ publication: Publication?) -> (waiters: [Waiter], released: ExecutionCancellation?) {
    defer {
      isSettled = true
      self.publication = publication
      cancellation = nil
      waiters = []
    }
    return (waiters, cancellation)
  }

  /// - Returns: `true` if there is nothing to wait for.
  mutating func arrived(_ waiter: Waiter) -> Bool {
    if !isSettled { waiters.append(waiter) }
    return isSettled
  }
}
