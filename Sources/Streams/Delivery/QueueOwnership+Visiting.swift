// Jobs and changes of code that knows what a queue protects by its address, and not by its type: it looks no type up
// at run time, and is compiled once.
extension QueueOwnership {
  /// Runs a job between two deliveries: now, and then all that has come to wait, or when the present delivery is over.
  /// A closed queue still runs jobs.
  ///
  /// - Parameters:
  ///   - now: runs the job if the queue is idle.
  ///   - later: makes the job otherwise.
  package final func run(now: (QueueAccess) -> Void, orLater later: () -> @Sendable (QueueAccess) -> Void) {
    guard enter(isShared: isShared) else {
      let later = later()
      return _ = admitJob(asTheLast: false) { queue, _, _ in later(QueueAccess(of: queue)) }
    }
    let access = QueueAccess(of: self)
    if isShared { access.lend() }
    now(access)
    if !leave(isShared: isShared) { drain() }
  }

  /// Makes a change that runs no user code, and never delivers for others: now, or by the owner.
  ///
  /// - Parameters:
  ///   - now: makes the change if the queue is not owned.
  ///   - later: makes the job that makes it otherwise.
  package final func maintain(now: (QueueAccess) -> Void, orLater later: () -> @Sendable (QueueAccess) -> Void) {
    while !beginMaintenance() {
      let later = later()
      if putInLine({ queue, _, _ in later(QueueAccess(of: queue)) }) { return }
    }
    now(QueueAccess(of: self))
    endMaintenance()
  }
}

extension DeliveryQueue where Shell: ~Copyable {
  /// The address of what the queue protects, for code that shows its access before it uses it.
  @inlinable
  package var address: UnsafeMutablePointer<Shell> { shell.pointer }
}
