import Aggregate
public import Streams
import Testing

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
/// Tasks go on by themselves, so time that is moved may overtake what they have to do. ``run(for:)`` waits for them:
/// for those in ``withVirtualTime(isolation:_:)``.
///
/// A timer that was meant for it and is set on a real clock, because an operator was not given the scheduler, is told
/// while this lives: as a warning of the test that both belong to, and without a test on standard error, once for each
/// `VirtualScheduler`. The cases of a test with arguments are one test. An operator that looks at the clock and sets no
/// timer, as `throttle` does without `latest`, cannot be told.
///
/// - Concurrency: every member may be called from any thread. Two threads that move time at once share the work between
///   them, so move it from one thread in a test.
///
/// - Complexity: scheduling and running O(log n), cancelling O(1), all amortised.
public final class VirtualScheduler: Scheduler {
  private let timeline = Lock(Timeline())
  let tasks = TaskTurns()

  /// Makes a scheduler at instant zero.
  public init() {
    let (test, once) = (Test.current?.id, UnheardReports.Once())
    RealTimers.watch(for: self) { timer in
      // Other tests run at the same time, and may use a real clock.
      guard Test.current?.id == test, once.isFirst("timer") else { return }
      let text = """
        While a `VirtualScheduler` was there, \(timer()), was set. Moving virtual time does not reach it. If it was meant \
        for that time, write `on:` with the scheduler where an operator or an initialiser takes one.
        """
      guard let test = Test.current else { return UnheardReports.write(text) }
      Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: test.sourceLocation)
    }
  }

  deinit { RealTimers.forget(self) }

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

  /// Moves time on by `duration`, and lets tasks run as far as they come at each instant: before time moves on, each
  /// task has ended or waits for something.
  ///
  ///     try await withVirtualTime { time in
  ///       let engine = Engine(scheduler: time)
  ///       …
  ///       let switching = engine.execute(Switch(lamp: "hall", isOn: true))
  ///       await time.run(for: .seconds(5))
  ///       #expect(switching.outcome?.output == true)
  ///     }
  ///
  /// `run(for: .zero)` only lets them come as far as they do now.
  ///
  /// It waits for the tasks that run on ``taskExecutor``. Inside of ``withVirtualTime(isolation:_:)`` these are the
  /// test, its child tasks (`async let`, task groups), and the tasks of streams, engines, clusters and their emitters
  /// that began there. What they do on actors and on the main actor counts. It does not wait for what the library
  /// cannot see: a `Task { }` or a detached task of your own, a thread, a call back from outside.
  ///
  /// - Ordering: actions run as with ``advance(by:)``, and after each one the tasks that it woke.
  /// - Complexity: that of ``advance(by:)``, and some switches of tasks for each action.
  public func run(for duration: Duration) async {
    let end = now.later(by: duration)
    await tasks.settle()
    while let action = timeline.withLock({ $0.next(movingTo: end) }) {
      AmbientExecutor.bind(tasks) { action() }
      await tasks.settle()
    }
  }

  /// Runs tasks one after the other, in the order in which they are woken. A task of your own is waited for, too, if it
  /// is started there: `Task(executorPreference: time.taskExecutor) { … }`.
  public var taskExecutor: any TaskExecutor { tasks }

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

/// Runs a test whose tasks belong to a time that stands still until the test moves it.
///
///     try await withVirtualTime { time in
///       let states = Observable.task { try await lamp.state() }
///       let recorder = Recorder(states.timeout(after: .seconds(2), on: time, failure: Silence()), on: time)
///       await time.run(for: .seconds(2))
///       #expect(recorder.values == [.on])
///     }
///
/// The test and all its tasks run one at a time, in one order, so a test does the same on each run. It must not block:
/// while it waits for a thread, its tasks stand still.
///
/// - Errors: throws what `body` throws.
/// - Parameters:
///   - actor: the actor that `body` runs on: that of the caller.
///   - body: gets the time, and moves it with ``VirtualScheduler/run(for:)``.
/// - Returns: what `body` returned.
public func withVirtualTime<Result>(
  isolation actor: isolated (any Actor)? = #isolation,
  _ body: (VirtualScheduler) async throws -> Result
) async throws -> Result {
  let time = VirtualScheduler()
  return try await AmbientExecutor.bind(time.tasks) { try await body(time) }
}
