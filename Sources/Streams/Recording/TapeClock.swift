import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The time of recorded events, as nanoseconds since the origin of a scheduler.
///
/// To ask a clock of the system takes as long as a large part of an event. So real time is read from a word that is a
/// millisecond old as a rule; the order of events comes from their numbers.
@usableFromInline
package final class TapeClock: Sendable {
  /// The source of another time than the system's.
  private let scheduler: (any Scheduler)?
  /// What has to be added to the system's time.
  @usableFromInline let offset: Int64
  /// Is `true` if the word tells the time.
  @usableFromInline package let readsWord: Bool
  /// They live as long as the process, so they are not counted.
  @usableFromInline package let words = Unmanaged.passUnretained(CauseWords.shared)

  package init(_ scheduler: any Scheduler) {
    readsWord = scheduler is ClockScheduler<SuspendingClock> || scheduler is ClockScheduler<ContinuousClock>
    self.scheduler = readsWord ? nil : scheduler
    offset = readsWord ? Self.nanoseconds(scheduler.now) - TickWord.ask() : 0
  }

  @usableFromInline
  package var exactNow: Int64 {
    if let scheduler { Self.nanoseconds(scheduler.now) } else { TickWord.wake() &+ offset }
  }

  /// The time for one event, as precise as is cheap.
  @inlinable
  package var now: Int64 {
    @inline(__always) get {
      let tick = words._withUnsafeGuaranteedRef { $0.tick.load(ordering: .relaxed) }
      return tick != 0 && readsWord ? tick &+ offset : exactNow
    }
  }

  /// An instant that is too far off is the last one that can be represented.
  static func nanoseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return max(-0x7fff_ffff, min(seconds, 0x7fff_ffff)) * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

/// The time of the system, written every millisecond while it is needed.
///
/// ```
///   event, word 0 ──▶ asks the system, starts the thread
///   event         ──▶ reads the word
///   thread        ──▶ writes the word 1,000 times, writes 0, ends
/// ```
///
/// A thread of its own writes it, because the threads of the concurrent pool may all be busy.
///
/// Safe to share: the word, ``CauseWords/tick``, is atomic. The thread that changes it from 0 starts the one that writes it.
private enum TickWord {
  static func ask() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Asks the system, and has the word written from now on.
  static func wake() -> Int64 {
    let now = ask()
    if CauseWords.shared.tick.compareExchange(expected: 0, desired: now, ordering: .relaxed).exchanged,
      !StartedThread.detach(write)
    {
      CauseWords.shared.tick.store(0, ordering: .relaxed)
    }
    return now
  }

  private static func write() {
    for _ in 0..<1_000 {
      usleep(1_000)
      CauseWords.shared.tick.store(ask(), ordering: .relaxed)
    }
    CauseWords.shared.tick.store(0, ordering: .relaxed)
  }
}
