// Jobs and changes of code that knows what a queue protects by its address, and not by its type: it looks no type up
// at run time, and is compiled once.
//
// It is for queues whose deliveries leave nothing to be done when the queue is free.
extension QueueOwnership {
  /// Runs a job if the queue is idle, and then all that has come to wait.
  ///
  /// - Returns: `false` if the queue is not idle; nothing has happened then.
  package final func runIfIdle(_ job: (QueueAccess) -> Void) -> Bool {
    guard enter(isShared: isShared) else { return false }
    job(QueueAccess(of: self))
    if !leave(isShared: isShared) { drain() }
    return true
  }

  /// Runs a job between two deliveries, for a queue that was not idle. A closed queue still runs jobs.
  package final func runLater(_ job: @escaping @Sendable (QueueAccess) -> Void) {
    _ = admitJob(asTheLast: false) { queue, _, _ in job(QueueAccess(of: queue)) }
  }

  /// Makes a change that runs no user code, and never delivers for others, if the queue is not owned.
  ///
  /// - Returns: `false` if the queue is owned; nothing has happened then.
  package final func maintainIfFree(_ change: (QueueAccess) -> Void) -> Bool {
    guard beginMaintenance() else { return false }
    change(QueueAccess(of: self))
    endMaintenance()
    return true
  }

  /// Leaves such a change to the owner.
  ///
  /// - Returns: `false` if the queue has no owner; nothing has happened then.
  package final func maintainLater(_ change: @escaping @Sendable (QueueAccess) -> Void) -> Bool {
    putInLine { queue, _, _ in change(QueueAccess(of: queue)) }
  }
}

extension DeliveryQueue where Shell: ~Copyable {
  /// The address of what the queue protects, for code that shows its access before it uses it.
  @inlinable
  package var address: UnsafeMutablePointer<Shell> { shell.pointer }
}
