/// Time as a Swift `Clock` tells it: the scheduler for production.
///
///     let wall = ClockScheduler(SuspendingClock())
///
/// Each scheduled action is a task that sleeps, so actions run on the concurrent executor; two that are due at the same
/// instant may run at once.
public struct ClockScheduler<ClockType: Clock>: Scheduler where ClockType.Duration == Duration {
  private let clock: ClockType
  private let origin: ClockType.Instant

  /// A scheduler whose origin is the clock's present instant.
  public init(_ clock: ClockType) {
    self.clock = clock
    origin = clock.now
  }

  /// The time since the scheduler was made, as the clock counts it.
  public var now: Duration { origin.duration(to: clock.now) }

  /// Runs `action` in a task that sleeps until `instant`.
  public func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    // The system clocks count seconds in 64 bits and trap beyond. A quarter of that is further than anybody waits.
    let end = Duration.seconds(Int64.max / 4)
    let instant = min(max(instant, .zero - end), end)
    let task = Task { [clock, origin] in
      // A sleep fails only when cancelled, and then the action is dropped.
      guard (try? await clock.sleep(until: origin.advanced(by: instant), tolerance: nil)) != nil,
        !Task.isCancelled
      else { return }
      action()
    }
    return Subscription { task.cancel() }
  }
}

extension Scheduler where Self == ClockScheduler<ContinuousClock> {
  /// Real time, which goes on while the machine sleeps.
  public static var continuous: Self { ClockScheduler(ContinuousClock()) }
}

extension Scheduler where Self == ClockScheduler<SuspendingClock> {
  /// Real time, which stands still while the machine sleeps.
  public static var suspending: Self { ClockScheduler(SuspendingClock()) }
}
