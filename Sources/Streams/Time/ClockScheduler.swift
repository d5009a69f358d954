/// Time as a Swift `Clock` tells it: the scheduler for production.
///
///     let wall = ClockScheduler(SuspendingClock())
///
/// - Concurrency: each scheduled action is a task that sleeps, so actions run on the concurrent executor; two that are
///   due at the same instant may run at once.
/// - Complexity: O(1) here for each action, beside what the clock does.
public struct ClockScheduler<ClockType: Clock>: Scheduler where ClockType.Duration == Duration {
  private let clock: ClockType
  private let origin: ClockType.Instant

  /// Makes a scheduler whose origin is the clock's present instant.
  ///
  /// - Complexity: O(1).
  public init(_ clock: ClockType) {
    self.clock = clock
    origin = clock.now
  }

  /// The time since the scheduler was made, as the clock counts it.
  ///
  /// - Complexity: O(1).
  public var now: Duration { origin.duration(to: clock.now) }

  /// Runs `action` in a task that sleeps until `instant`.
  ///
  /// - Returns: a token; cancelling or releasing it cancels the sleep.
  /// - Complexity: O(1) here, beside what the clock does.
  public func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    let task = Task {
      // A sleep fails only when cancelled, and then the action is dropped.
      guard (try? await reach(instant)) != nil, !Task.isCancelled else { return }
      action()
    }
    return Subscription { task.cancel() }
  }

  /// Sleeps in legs of a year at most: the clocks of the system trap when asked for an instant that is too far off.
  private func reach(_ instant: Duration) async throws {
    var leg: Duration
    repeat {
      leg = min(instant, now.later(by: .seconds(365 * 86_400)))
      try await clock.sleep(until: origin.advanced(by: max(leg, .zero)), tolerance: nil)
    } while leg < instant
  }
}

extension Scheduler where Self == ClockScheduler<ContinuousClock> {
  /// Real time, which goes on while the machine sleeps.
  ///
  /// - Complexity: O(1).
  public static var continuous: Self { ClockScheduler(ContinuousClock()) }
}

extension Scheduler where Self == ClockScheduler<SuspendingClock> {
  /// Real time, which stands still while the machine sleeps.
  ///
  /// - Complexity: O(1).
  public static var suspending: Self { ClockScheduler(SuspendingClock()) }
}
