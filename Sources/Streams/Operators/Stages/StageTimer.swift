/// The one pending timer of a stage. It belongs to the stage's queue.
///
/// A scheduler may run the action at once, and the action may set the timer for the next instant, before `schedule` has
/// returned the token for the first; the generation tells which token is the newest.
@usableFromInline
struct StageTimer: Sendable {
  @usableFromInline let time: StageTime
  private let pending: SerialSubscription
  private var generation = 0
  /// The instant at which the pending timer fires. It may be earlier than what the machine wants by now, never later.
  @usableFromInline private(set) var instant: Duration?

  @usableFromInline
  init(_ time: StageTime, of parent: Lifetime) {
    self.time = time
    pending = SerialSubscription(of: parent)
  }

  /// Returns whether the timer need not be touched for something that waits for `wanted`. A timer that fires too early
  /// looks again then, which is cheaper than a new timer for each value.
  @inlinable
  func serves(_ wanted: Duration?) -> Bool {
    guard let wanted else { return instant == nil }
    guard let instant else { return false }
    return instant <= wanted
  }

  /// Returns whether the timer of this generation is the pending one; after that it is not pending any more.
  @usableFromInline
  mutating func hasFired(_ generation: Int) -> Bool {
    guard generation == self.generation else { return false }
    instant = nil
    return true
  }

  /// Makes the timer fire at `wanted`, or not later than that.
  ///
  /// - Parameter action: makes what is to be done when the timer of a generation fires. So one closure is made for a
  ///   timer.
  @usableFromInline
  mutating func set(to wanted: Duration?, _ action: (_ generation: Int) -> @Sendable () -> Void) {
    if serves(wanted) { return }
    if instant != nil {
      generation += 1
      instant = nil
      pending.replace(with: nil, generation: generation)
    }
    guard let wanted else { return }
    generation += 1
    instant = wanted
    let generation = generation
    pending.replace(with: time.scheduler.schedule(at: wanted, action(generation)), generation: generation)
  }
}
