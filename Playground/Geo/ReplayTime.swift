import RASPPrimitives
import Streams

/// The time in a recording that is replayed, for the times of what is recorded of the replay: an hour that is read in a
/// second is an hour still.
///
/// Safe to share: the time is behind a lock.
final class ReplayTime: Scheduler {
  private let elapsed = Lock<Duration>(.zero)
  private let base: any Scheduler

  /// - Parameter base: what runs actions. Nothing of the playground schedules one here.
  init(base: any Scheduler) {
    self.base = base
  }

  var now: Duration { elapsed.withLock { $0 } }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    base.schedule(at: base.now + max(.zero, instant - now), action)
  }

  /// Follows the events of time among others.
  func follow(_ event: NavigationEvent) {
    if case .time(let time) = event { elapsed.withLock { $0 = max($0, time) } }
  }
}
