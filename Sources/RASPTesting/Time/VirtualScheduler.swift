import RASPPrimitives
public import Streams

/// Time that stands still until a test moves it.
///
///     let time = VirtualScheduler()
///     let ticks = Observable.interval(.seconds(1), on: time).subscribe { print($0) }
///     time.advance(by: .seconds(3))   // 0, 1, 2, before this returns
///
/// Moving time runs what is due on the calling thread, one action at a time: in the order of the instants, and at one
/// instant in the order of scheduling. During an action ``now`` is the instant it was scheduled for. Work that an
/// action schedules within the span runs in the same move.
///
/// - Concurrency: every member may be called from any thread. Two threads that move time at once share the work between
///   them, so move it from one thread in a test.
///
/// - Complexity: scheduling and running O(log n), cancelling O(1), all amortised.
public final class VirtualScheduler: Scheduler {
  private let timeline = Lock(Timeline())

  /// Makes a scheduler at instant zero.
  public init() {}

  /// The present instant. It begins at zero and changes when time is moved.
  public var now: Duration { timeline.withLock(\.now) }

  /// Puts an action on the timeline. It never runs inside this call. An action at or before ``now`` is due at the next
  /// move, also at a move by zero.
  ///
  /// - Complexity: O(log n) amortised, n being the number of actions on the timeline.
  public func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription {
    let key = timeline.withLock { $0.insert(action, at: instant) }
    return Subscription {
      let cancelled = self.timeline.withLock { $0.cancel(key) }
      _ = consume cancelled
    }
  }

  /// Moves time on by `duration` and runs what becomes due.
  public func advance(by duration: Duration) {
    advance(to: now.later(by: duration))
  }

  /// Moves time on to `instant` and runs what becomes due. An instant that has passed runs what is due now.
  public func advance(to instant: Duration) {
    while let action = timeline.withLock({ $0.next(movingTo: instant) }) { action() }
  }

  /// Moves time on until nothing is scheduled any more, or `limit` actions have run. An interval that is not cancelled
  /// never ends.
  ///
  /// - Returns: whether nothing is left.
  @discardableResult
  public func run(limit: Int = 1_000_000) -> Bool {
    var remaining = limit
    while remaining > 0, let action = timeline.withLock({ $0.next(until: nil) }) {
      action()
      remaining -= 1
    }
    return timeline.withLock(\.isEmpty)
  }

  /// The instants of the actions that are scheduled and neither ran nor were cancelled, in order. At the end of a test
  /// they show what was left behind.
  ///
  /// - Complexity: O(n log n).
  public var pending: [Duration] { timeline.withLock(\.pending) }
}
