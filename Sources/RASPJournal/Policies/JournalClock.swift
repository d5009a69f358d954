import Aggregate

/// The time and the random numbers that a journal uses.
package struct JournalClock: Sendable {
  /// A time that is not set, for intervals.
  var now: @Sendable () -> Duration
  var stamp: @Sendable () -> FileStamp
  /// The time of a stamp, without its random numbers.
  let wallTime: @Sendable () -> UInt64

  static let system = JournalClock {
    let start = ContinuousClock.now
    return { start.duration(to: .now) }
  } stamp: {
    FileStamp.now
  } wallTime: {
    WallClock.now
  }

  package init(
    now: () -> @Sendable () -> Duration,
    stamp: @escaping @Sendable () -> FileStamp,
    wallTime: (@Sendable () -> UInt64)? = nil
  ) {
    self.now = now()
    self.stamp = stamp
    self.wallTime = wallTime ?? { stamp().wallTime }
  }
}
