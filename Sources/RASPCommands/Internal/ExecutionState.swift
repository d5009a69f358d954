/// How an execution is cancelled.
@usableFromInline
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

/// How far an execution is: a plain state machine, event in, action out. ``Execution`` is the shell that locks, keeps the
/// outcome, and resumes who waits.
///
/// The type of the output is kept out of it, so that making and releasing an execution does not look up generic types.
@usableFromInline
struct ExecutionState<Waiter: Sendable>: Sendable {
  /// Whether there is an outcome.
  @usableFromInline private(set) var isSettled = false
  @usableFromInline private(set) var publication: Publication?
  private(set) var cancellation: ExecutionCancellation?
  private var waiters: [Waiter] = []

  init() {}

  /// There is a task now. One that is done already has settled before.
  mutating func began(_ cancellation: ExecutionCancellation) {
    if !isSettled { self.cancellation = cancellation }
  }

  /// - Returns: who is to be resumed, and what is to be released after unlocking.
  mutating func settled(_ publication: Publication?) -> (waiters: [Waiter], released: ExecutionCancellation?) {
    defer {
      isSettled = true
      self.publication = publication
      cancellation = nil
      waiters = []
    }
    return (waiters, cancellation)
  }

  /// - Returns: whether there is nothing to wait for.
  mutating func arrived(_ waiter: Waiter) -> Bool {
    if !isSettled { waiters.append(waiter) }
    return isSettled
  }
}
