/// The queue of a stage: everything that has to wait is a job.
///
/// Its type does not depend on what the stage sends, so the line and its end are compiled once, here, and not for each
/// stage in the user's module. There, only the way of an event that need not wait is left: two atomic exchanges around
/// what the stage does. An event that has to wait allocates the closure that delivers it.
@usableFromInline
typealias StageQueue = DeliveryQueue<JobShell>

extension DeliveryQueue where Shell == JobShell {
  /// Makes this thread the owner if the queue is idle.
  @inlinable
  @inline(__always)
  func enterIfIdle() -> QueueAccess? {
    enter() ? QueueAccess(of: self) : nil
  }

  /// Runs a job when all that came before it is done: now, or by the owner.
  @usableFromInline
  func put(_ job: @escaping Job) { run(job) }
}
