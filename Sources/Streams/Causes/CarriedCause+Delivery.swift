extension CarriedCause {
  /// What is delivered on this thread, for something that will be delivered later.
  ///
  /// - Complexity: O(1). While nothing is recorded, it is one look at a word.
  @inlinable
  @inline(__always)
  package static var current: CarriedCause { ThreadCause.isCarried ? present : .unknown }

  /// What this task was given, or what is delivered on this thread.
  @inlinable
  package static var present: CarriedCause { CauseWords.shared.present }

  /// Runs `body` as something that is delivered with this cause.
  @inlinable
  @inline(__always)
  package func deliver<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let words = CauseWords.shared
    return try deliver(in: words.slot, ofTask: words.causeOfTask, body)
  }

  /// Returns what `body` returns, which starts a task. The task has this as its cause.
  @inlinable
  @discardableResult
  package func startTask<Result>(_ body: () -> Result) -> Result {
    if self == .unknown, TaskCause.current == .none { return body() }
    TaskCause.noteUse()
    return TaskCause.bind(self, body)
  }

  /// Does the same for a thread whose slot has been found, and a task whose cause has been looked at.
  ///
  /// A task that has a cause is given none meanwhile: the slot is what counts, and a task that `body` starts begins
  /// anew, as it does on a thread without a task. It may live much longer than what is delivered here.
  @inlinable
  @inline(__always)
  package func deliver<Result, Failure: Error>(
    in slot: UnsafeMutablePointer<CarriedCause>,
    ofTask cause: CarriedCause,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = slot.pointee
    slot.pointee = self
    defer { slot.pointee = outer }
    return try cause != .none ? TaskCause.bind(.none, body) : body()
  }
}
