import Aggregate
import RASPHistory

/// How a journal writes. A test changes what a user cannot.
package struct JournalSetup: Sendable {
  var policy = SyncPolicy.eachBatch
  var retention = JournalRetention.everything
  var overload = JournalOverload.wait
  package var poison = PoisonPolicy.stop
  /// How long an owner of the lock that is ending is waited for.
  package var patience = Duration.zero
  var plan = SegmentPlan()
  var clock = JournalClock.system
  /// How many events may wait to be written.
  var capacity = 1 << 16
  /// The time for which the thread waits after a batch, so that there is more to write at once.
  var idleWait = Duration.milliseconds(10)
}

extension JournalSetup {
  package init(
    syncing policy: SyncPolicy,
    keeping retention: JournalRetention,
    onPoison poison: PoisonPolicy,
    waiting patience: Duration
  ) {
    self.patience = patience
    self.policy = policy
    self.retention = retention
    self.poison = poison
  }
}

extension JournalSetup {
  /// What is wrong with it, in words; `nil` if nothing is.
  package var problem: String? {
    if case .every(let duration) = policy, duration <= .zero {
      return "`SyncPolicy.every` needs a time above zero, and not \(duration); `eachBatch` syncs at once."
    }
    if case .newest(let count) = retention, count < 0 {
      return "`JournalRetention.newest` keeps at least 0 events, and not \(count)."
    }
    return nil
  }
}

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
