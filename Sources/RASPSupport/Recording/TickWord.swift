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

/// The time of a clock of the system in one word, written every millisecond while it is needed.
///
/// ```
///   event, word is not positive ──▶ asks the system, starts the thread
///   event                       ──▶ reads the word
///   thread                      ──▶ writes the word 1,000 times, makes it negative, ends
/// ```
///
/// A thread of its own writes it, because the threads of the concurrent pool may all be busy.
///
/// Invariant: the magnitude of the word never becomes smaller. So a thread that has asked the system, and was stopped before it
/// wrote the answer, changes nothing.
///
/// Safe to share: the word is atomic, and lives as long as the process. The thread that makes it positive starts the one that
/// writes it. The rest does not change.
@usableFromInline
package struct TickWord: @unchecked Sendable {
  @usableFromInline let word: UnsafeMutablePointer<Atomic<Int64>>
  private let source: @Sendable () -> Int64
  private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool

  /// - Parameters:
  ///   - source: asks the system, for nanoseconds.
  ///   - start: starts a thread; returns `false` if the system has none to give.
  init(
    _ source: @escaping @Sendable () -> Int64,
    start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = { StartedThread.detach($0) }
  ) {
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(0))
    self.source = source
    self.start = start
  }

  /// The word of a time that is not the system's.
  static let none = TickWord { 0 }

  #if canImport(Darwin)
    /// Stands still while the machine sleeps.
    static let suspending = TickWord { read(CLOCK_UPTIME_RAW) }
    /// Goes on while the machine sleeps.
    static let continuous = TickWord { read(CLOCK_MONOTONIC_RAW) }
  #else
    /// Stands still while the machine sleeps.
    static let suspending = TickWord { read(CLOCK_MONOTONIC) }
    /// Goes on while the machine sleeps.
    static let continuous = TickWord { read(CLOCK_BOOTTIME) }
  #endif

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// The time, if it is positive.
  @inlinable
  var time: Int64 {
    @inline(__always) get { word.pointee.load(ordering: .relaxed) }
  }

  /// The time that the system tells.
  func ask() -> Int64 { max(1, source()) }

  /// Returns the time, and has the word written from now on.
  func wake() -> Int64 {
    while true {
      let last = time
      if last > 0 { return last }
      let now = max(ask(), -last)
      guard word.pointee.compareExchange(expected: last, desired: now, ordering: .relaxed).exchanged else { continue }
      if !start({ write() }) { stop() }
      return now
    }
  }

  private func write() {
    for _ in 0..<1_000 {
      usleep(1_000)
      advance()
    }
    stop()
  }

  /// Writes the time. Only the thread that was started calls it.
  func advance() {
    word.pointee.store(max(ask(), time), ordering: .relaxed)
  }

  /// Says that nothing writes the word any more.
  func stop() {
    word.pointee.store(-time, ordering: .relaxed)
  }
}
