import RASPTesting
import Streams

/// A clock that is ahead of what wakes its sleepers: when a timer fires, it is `lag` later than was asked for.
struct LaggingScheduler: Scheduler {
  let time: VirtualScheduler
  let lag: Duration

  var now: Duration { time.now + lag }

  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    time.schedule(at: instant, action)
  }
}
