import RASPTesting
import Streams
import Synchronization

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
