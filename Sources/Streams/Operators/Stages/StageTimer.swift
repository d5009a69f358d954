/// The one pending timer of a stage. It belongs to the stage's queue.
///
/// A scheduler may run the action at once, and the action may set the timer for the next instant, before `schedule` has
/// returned the token for the first; the generation tells which token is the newest.
@usableFromInline
struct StageTimer: Sendable {
  private let scheduler: any Scheduler
  private let pending: SerialSubscription
  private var generation = 0
  /// The instant at which the pending timer fires. It may be earlier than what the machine wants by now, never later.
  private var instant: Duration?

  @usableFromInline
  init(on scheduler: any Scheduler, of parent: Lifetime) {
    self.scheduler = scheduler
    pending = SerialSubscription(of: parent)
  }

  /// Returns whether the timer of this generation is the pending one; after that it is not pending any more.
  @usableFromInline
  mutating func hasFired(_ generation: Int) -> Bool {
    guard generation == self.generation else { return false }
    instant = nil
    return true
  }

  /// Makes the timer fire at `wanted`, or not later than that.
  @usableFromInline
  mutating func set(to wanted: Duration?, _ fire: @escaping @Sendable (_ generation: Int) -> Void) {
    if let present = instant {
      // A timer that fires too early looks again then, which is cheaper than a new timer for each value.
      if let wanted, present <= wanted { return }
      generation += 1
      instant = nil
      pending.replace(with: nil, generation: generation)
    }
    guard let wanted else { return }
    generation += 1
    instant = wanted
    let generation = generation
    pending.replace(with: scheduler.schedule(at: wanted) { fire(generation) }, generation: generation)
  }
}
