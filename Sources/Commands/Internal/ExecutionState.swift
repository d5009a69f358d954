/// How an execution is cancelled.
struct ExecutionCancellation: Sendable {
  /// Ends the execution, if it has not ended, and cancels its task.
  let begin: @Sendable () -> Bool
  /// Tells everybody, once `begin` has said `true`.
  let complete: @Sendable () -> Void

  init(begin: @escaping @Sendable () -> Bool, complete: @escaping @Sendable () -> Void) {
    self.begin = begin
    self.complete = complete
  }
}

/// What is known of an execution from the outside: a plain state machine, event in, action out. ``Execution`` is the shell
/// that locks, and resumes who waits.
struct ExecutionState<Output: Sendable, Waiter: Sendable>: Sendable {
  private(set) var outcome: CommandOutcome<Output>?
  private(set) var publication: Publication?
  private(set) var cancellation: ExecutionCancellation?
  private var waiters: [Waiter] = []

  /// There is a task now. One that is done already has settled before.
  mutating func began(_ cancellation: ExecutionCancellation) {
    if outcome == nil { self.cancellation = cancellation }
  }

  /// - Returns: who is to be resumed with the outcome, and what is to be released after unlocking.
  mutating func settled(
    _ outcome: CommandOutcome<Output>,
    _ publication: Publication?
  ) -> (waiters: [Waiter], released: ExecutionCancellation?) {
    defer {
      self.outcome = outcome
      self.publication = publication
      cancellation = nil
      waiters = []
    }
    return (waiters, cancellation)
  }

  /// - Returns: the outcome, if there is nothing to wait for.
  mutating func arrived(_ waiter: Waiter) -> CommandOutcome<Output>? {
    if let outcome { return outcome }
    waiters.append(waiter)
    return nil
  }
}
