// Work that is done in place if the queue is idle, and made into an item of the line only if it has to wait. So the
// usual case allocates nothing.
extension DeliveryQueue where Shell: ~Copyable {
  /// Does the same as ``send(contentsOf:)`` for values that are made only if they have to wait.
  ///
  /// - Parameter deliver: does what the shell does with the values.
  @inlinable
  @inline(__always)
  package func send(
    contentsOf values: @autoclosure () -> [Shell.Value],
    now deliver: (inout Shell, QueueAccess) -> Void
  ) -> Bool {
    guard enter(isShared: Shell.isShared) else { return sendLater(contentsOf: values()) }
    let access = QueueAccess(of: self)
    deliver(&shell[access], access)
    leaveOrDrain()
    return true
  }

  /// Does the same as ``run(_:)`` for a job that is made only if it has to wait.
  ///
  /// - Parameters:
  ///   - change: does what the job does.
  ///   - job: makes the job.
  @inlinable
  @inline(__always)
  package func run(_ change: (inout Shell, QueueAccess) -> Void, orLater job: () -> Shell.Job) {
    guard enter(isShared: Shell.isShared) else { return run(job()) }
    let access = QueueAccess(of: self)
    if Shell.isShared { access.lend() }
    change(&shell[access], access)
    leaveOrDrain()
  }
}
