import Synchronization

/// Time as a Swift `Clock` tells it: the scheduler for production.
///
///     let wall = ClockScheduler(SuspendingClock())
///
/// All schedulers of `ContinuousClock` count from one origin, and so do all schedulers of `SuspendingClock`. So an
/// instant that one of them gives can be used with another one of the same clock. Schedulers of another clock do so if
/// they are given the same origin.
///
/// - Concurrency: each scheduled action is a task that sleeps, so actions run on the concurrent executor; two that are
///   due at the same instant may run at once.
/// - Complexity: O(1) here for each action, beside what the clock does.
public struct ClockScheduler<ClockType: Clock>: Scheduler where ClockType.Duration == Duration {
  private let clock: ClockType
  private let origin: ClockType.Instant

  /// Makes a scheduler. Its origin is the one that all schedulers of the clock share, if it is one of the two clocks of
  /// the standard library; otherwise it is the clock's present instant.
  ///
  /// - Complexity: O(1).
  public init(_ clock: ClockType) {
    let origin: (any InstantProtocol)? =
      switch clock {
      case is ContinuousClock: Origin.continuous
      case is SuspendingClock: Origin.suspending
      default: nil
      }
    self.init(clock, origin: origin as? ClockType.Instant ?? clock.now)
  }

  /// Makes a scheduler that counts from an instant.
  ///
  /// - Parameters:
  ///   - clock: the source of time.
  ///   - origin: the instant zero.
  /// - Complexity: O(1).
  public init(_ clock: ClockType, origin: ClockType.Instant) {
    self.clock = clock
    self.origin = origin
  }

  /// The time since the origin, as the clock counts it.
  ///
  /// - Complexity: O(1).
  public var now: Duration { origin.duration(to: clock.now) }

  /// Whether the clock is one of the standard library. Another one may be that of a test.
  private var isReal: Bool { ClockType.self == ContinuousClock.self || ClockType.self == SuspendingClock.self }

  /// Runs `action` in a task that sleeps until `instant`.
  ///
  /// - Returns: a token; cancelling or releasing it cancels the sleep.
  /// - Complexity: O(1) here, beside what the clock does.
  public func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    if isReal { RealTimers.note { "a timer of `\(Self.self)`, due in \(max(now, instant) - now)" } }
    // Time brings the action about, and not the task that schedules it.
    let task = OngoingWork.leave {
      CarriedCause.unknown.startTask {
        Task {
          // A sleep fails only when cancelled, and then the action is dropped.
          guard (try? await reach(instant)) != nil, !Task.isCancelled else { return }
          action()
        }
      }
    }
    return Subscription { task.cancel() }
  }

  /// Sleeps in legs of a year at most: the clocks of the system trap when asked for an instant that is too far off.
  private func reach(_ instant: Duration) async throws {
    // Many actions are cancelled before their task has begun.
    try Task.checkCancellation()
    var leg: Duration
    repeat {
      leg = min(instant, now.later(by: .seconds(365 * 86_400)))
      try await clock.sleep(until: origin.advanced(by: max(leg, .zero)), tolerance: nil)
    } while leg < instant
  }
}

/// The watchers of all timers of real clocks: the virtual times of tests, for which such a timer may have been meant.
package enum RealTimers {
  package typealias Watcher = @Sendable (_ timer: () -> String) -> Void

  private static let watchers = Lock<[ObjectIdentifier: Watcher]>([:])
  /// Is `true` from the first watcher on. Programs other than tests pay for one look at this.
  private static let areWatched = Atomic<Bool>(false)

  /// Calls `watcher` for each timer, on the thread that sets it, until it is forgotten.
  package static func watch(for owner: AnyObject, _ watcher: @escaping Watcher) {
    areWatched.store(true, ordering: .relaxed)
    watchers.withLock { $0[ObjectIdentifier(owner)] = watcher }
  }

  /// Forgets the watcher of an owner.
  package static func forget(_ owner: AnyObject) {
    let watcher = watchers.withLock { $0.removeValue(forKey: ObjectIdentifier(owner)) }
    _ = consume watcher
  }

  fileprivate static func note(_ timer: () -> String) {
    guard areWatched.load(ordering: .relaxed) else { return }
    for watcher in watchers.withLock({ Array($0.values) }) { watcher(timer) }
  }
}

/// The instants from which the clocks of the standard library are counted: those of the first use.
private enum Origin {
  static let continuous = ContinuousClock.now
  static let suspending = SuspendingClock.now
}

extension Scheduler where Self == ClockScheduler<ContinuousClock> {
  /// Real time, which goes on while the machine sleeps.
  ///
  /// - Complexity: O(1).
  public static var continuous: Self { ClockScheduler(ContinuousClock(), origin: Origin.continuous) }
}

extension Scheduler where Self == ClockScheduler<SuspendingClock> {
  /// Real time, which stands still while the machine sleeps.
  ///
  /// - Complexity: O(1).
  public static var suspending: Self { ClockScheduler(SuspendingClock(), origin: Origin.suspending) }
}
