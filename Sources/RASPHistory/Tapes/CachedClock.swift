import RASPSupport
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

/// The time of a clock of the system. While it is read often, a thread writes it into one word, and a read takes one
/// instruction; otherwise a read asks the system, and nothing runs.
///
/// ```
///              ┌───────────┐  64 reads in 64 ms  ┌─────────┐  each eighth ms  ┌────────┐
///   a read ◀───│ unwatched │ ──────────────────▶ │ ticking │ ────────────────▶ │ marked │ ───▶ a read
///   asks       └───────────┘  starts the thread  └─────────┘ ◀──────────────── └────────┘      asks
///                    ▲                                            a read            │
///                    └──────────────────────────────────────────────────────────────┘
///                               no read for a millisecond: the thread ends
/// ```
///
/// The word has the time and the phase: it is positive while ticking, and negative otherwise; a negative word is odd
/// while marked, and even while unwatched. So times are even.
///
/// A thread of its own writes the word, because the threads of the concurrent pool may all be busy.
///
/// Invariants:
/// - The time in the word does not become smaller. So a thread that has asked the system, and was stopped before it
///   wrote the answer, changes nothing.
/// - There is a thread exactly while the clock is ticking or marked. Only the exchange that leaves the unwatched phase
///   starts one, and only that thread returns to it.
///
/// Safe to share: everything that changes is atomic.
@usableFromInline
package final class CachedClock: Sendable {
  @usableFromInline let word = Atomic<Int64>(0)
  /// The number of reads that have asked the system, and the time of the last one whose number was a multiple of 64.
  private let readCount = Atomic<Int>(0)
  private let windowStart = Atomic<Int64>(.min / 2)
  private let source: @Sendable () -> Int64
  private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool

  /// - Parameters:
  ///   - source: asks the system, for nanoseconds.
  ///   - start: starts a thread; returns `false` if the system has none to give.
  init(
    _ source: @escaping @Sendable () -> Int64,
    start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { StartedThread.detach($0) }
  ) {
    self.source = source
    self.start = start
  }

  /// A clock that does not tell the system's time. It is never read.
  static let none = CachedClock { 0 }

  #if canImport(Darwin)
    /// Stands still while the machine sleeps.
    static let suspending = CachedClock { read(CLOCK_UPTIME_RAW) }
    /// Goes on while the machine sleeps.
    static let continuous = CachedClock { read(CLOCK_MONOTONIC_RAW) }
  #else
    /// Stands still while the machine sleeps.
    static let suspending = CachedClock { read(CLOCK_MONOTONIC) }
    /// Goes on while the machine sleeps.
    static let continuous = CachedClock { read(CLOCK_BOOTTIME) }
  #endif

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  // MARK: Reading

  /// The time, if it is positive; otherwise ``read()`` tells it.
  @inlinable
  var time: Int64 {
    @inline(__always) get { word.load(ordering: .relaxed) }
  }

  /// The time that the system tells.
  func ask() -> Int64 { max(2, source()) & ~1 }

  /// Returns the time where the word is not positive.
  func read() -> Int64 {
    let asked = ask()
    let isReadOften = noteRead(at: asked)
    while true {
      let last = time
      if last > 0 { return last }
      let isMarked = last & 1 != 0
      let now = max(asked, -last & ~1)
      let desired = isMarked || isReadOften ? now : -now
      guard word.compareExchange(expected: last, desired: desired, ordering: .relaxed).exchanged else { continue }
      if desired > 0, !isMarked, !start({ self.run() }) { word.store(-time, ordering: .relaxed) }
      return now
    }
  }

  /// Counts a read that has asked the system.
  ///
  /// - Returns: whether there are so many that a thread takes less than they do.
  private func noteRead(at now: Int64) -> Bool {
    guard readCount.add(1, ordering: .relaxed).newValue & 63 == 0 else { return false }
    return now - windowStart.exchange(now, ordering: .relaxed) <= 64_000_000
  }

  // MARK: Ticking

  private func run() {
    var millisecond = 0
    repeat {
      usleep(1_000)
      millisecond += 1
    } while tick(millisecond)
  }

  /// Does what the thread does in a millisecond.
  ///
  /// - Parameter millisecond: its number, from 1.
  /// - Returns: `false` if the thread ends, because nothing has read the time since the millisecond before.
  func tick(_ millisecond: Int) -> Bool {
    let last = time
    assert(last > 0 || last & 1 != 0, "A thread writes the time of a clock that is not watched.")
    if last < 0, word.compareExchange(expected: last, desired: last + 1, ordering: .relaxed).exchanged { return false }
    // The word is positive, and only this thread writes it then.
    let now = max(ask(), time)
    word.store(millisecond & 7 == 0 ? -now - 1 : now, ordering: .relaxed)
    return true
  }
}
