import Streams
import Synchronization

/// The times of recorded events, as nanoseconds since the origin of a scheduler.
///
/// To ask a clock of the system takes as long as a large part of an event. So real time is read from a ``CachedClock``:
/// while events come fast, it is a millisecond old as a rule, and older where the process or the thread that writes it
/// did not run: the first events after a stop may have the time at which it began. The order of events comes from their
/// numbers. Their times do not go back, and go on or stand still with the scheduler while the machine sleeps.
@usableFromInline
package final class TapeClock: Sendable {
  /// The source of another time than the system's.
  private let scheduler: (any Scheduler)?
  /// What has to be added to the time of the system.
  @usableFromInline let offset: Int64
  /// The clock of the system, which lives as long as the process, so it is not counted.
  @usableFromInline let system: Unmanaged<CachedClock>
  package init(_ scheduler: any Scheduler) {
    let system: CachedClock? =
      switch scheduler {
      case is ClockScheduler<SuspendingClock>: .suspending
      case is ClockScheduler<ContinuousClock>: .continuous
      default: nil
      }
    self.system = .passUnretained(system ?? .none)
    self.scheduler = system == nil ? scheduler : nil
    offset = system.map { Self.nanoseconds(scheduler.now) - $0.ask() } ?? 0
  }

  /// Is `true` if the time is that of the system.
  package var isReal: Bool { scheduler == nil }

  /// The present time. An event has an earlier one as a rule.
  package var exactNow: Int64 {
    if let scheduler { return Self.nanoseconds(scheduler.now) }
    return system._withUnsafeGuaranteedRef { $0.ask() } &+ offset
  }

  /// The time for one event, as precise as is cheap.
  @inlinable
  package var now: Int64 {
    @inline(__always) get {
      let time = system._withUnsafeGuaranteedRef { $0.time }
      return time > 0 ? time &+ offset : askedNow
    }
  }

  /// Does the same where the time is not cached.
  @usableFromInline var askedNow: Int64 {
    if let scheduler { return Self.nanoseconds(scheduler.now) }
    return system._withUnsafeGuaranteedRef { $0.read() } &+ offset
  }

  /// An instant that is too far off is the last one that can be represented.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return max(-0x7fff_ffff, min(seconds, 0x7fff_ffff)) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}
