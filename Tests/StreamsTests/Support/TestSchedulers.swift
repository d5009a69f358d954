import RASPTesting
import Streams
import Synchronization
import TestSupport

/// Virtual time that is late: an action begins so much after the instant it was scheduled for.
struct LateScheduler: Scheduler {
  let time: VirtualScheduler
  let delay: Duration

  var now: Duration { time.now }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    time.schedule(at: instant + delay, action)
  }
}

/// A scheduler that runs what is due inside `schedule`, before it has returned the token.
struct EagerScheduler: Scheduler {
  let time: VirtualScheduler

  var now: Duration { time.now }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    if instant > time.now { return time.schedule(at: instant, action) }
    action()
    return Subscription {}
  }
}

/// A clock that is ahead of what wakes its sleepers: when a timer fires, it is `lag` later than was asked for.
struct LaggingScheduler: Scheduler {
  let time: VirtualScheduler
  let lag: Duration

  var now: Duration { time.now + lag }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    time.schedule(at: instant, action)
  }
}

/// A scheduler whose time leaps to the instant of each action, which runs before `schedule` returns.
final class LeapingScheduler: Scheduler {
  private let time = VirtualScheduler()

  var now: Duration { time.now }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    time.advance(to: instant)
    action()
    return Subscription {}
  }
}

/// Virtual time that counts how often it is asked to schedule something.
final class ScheduleCounter: Scheduler {
  let time = VirtualScheduler()
  private let schedules = Atomic<Int>(0)

  var count: Int { schedules.load(ordering: .acquiring) }
  var now: Duration { time.now }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    schedules.wrappingAdd(1, ordering: .acquiringAndReleasing)
    return time.schedule(at: instant, action)
  }
}

/// A clock of the user that stands still until a test moves it; sleepers wake when it has.
struct ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  let time = VirtualScheduler()

  /// Where the clock's own count begins: not at zero, as with real clocks.
  let base = Duration.seconds(1_000)

  var now: Instant { Instant(offset: base + time.now) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await time.sleep(until: deadline.offset - base)
  }

  /// Moves the clock when a task sleeps, so that no sleeper comes too late for the move.
  func advance(by duration: Duration) async {
    _ = await eventually { !time.pending.isEmpty }
    time.advance(by: duration)
  }
}
