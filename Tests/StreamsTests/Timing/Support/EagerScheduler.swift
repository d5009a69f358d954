import RASPTesting
import Streams

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
