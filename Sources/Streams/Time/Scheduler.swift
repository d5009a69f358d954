/// The source of time for every operator that needs it. Time is injected, so that tests run on virtual time.
///
/// Instants are durations since an origin. Instants of two schedulers can be compared only if both count from one
/// origin, as all ``ClockScheduler``s of one clock of the standard library do.
public protocol Scheduler: Sendable {
  /// The time elapsed since the scheduler's origin. It never goes back.
  ///
  /// - Complexity: O(1).
  var now: Duration { get }

  /// Runs `action` once at `instant`, or as soon as possible if that has passed.
  ///
  /// - Returns: a token; cancelling or releasing it drops the action if it has not begun.
  /// - Ordering: a scheduler that runs actions one by one, as virtual time does, begins those that are due at different
  ///   instants in the order of the instants, and those due at the same instant in the order they were scheduled.
  /// - Concurrency: may be called from any thread. The scheduler decides which thread runs `action`.
  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription
}

extension Scheduler {
  /// Suspends until the scheduler has reached `instant`; returns at once if that is not in the future.
  ///
  /// - Errors: throws `CancellationError` when the task is cancelled, at once, also if the task was cancelled before
  ///   the call.
  /// - Complexity: O(1), beside the cost of one timer.
  @inlinable
  public func sleep(until instant: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    if instant > now { try await wait(until: instant) }
  }

  /// Suspends for a time; returns early if the task is cancelled.
  package func pause(for duration: Duration) async {
    do throws(CancellationError) { try await sleep(until: now.later(by: duration)) } catch {}
  }

  @usableFromInline
  func wait(until instant: Duration) async throws(CancellationError) {
    let wake = Latch()
    let timer = schedule(at: instant) { wake.open() }
    await withTaskCancellationHandler {
      await wake.wait()
    } onCancel: {
      timer.cancel()
      wake.open()
    }
    if Task.isCancelled { throw CancellationError() }
  }
}

extension Duration {
  /// Returns the instant that is `duration` after this one, or the last instant there is. An instant that is too far
  /// off to be represented never comes, and must not trap.
  @usableFromInline
  package func later(by duration: Duration) -> Duration {
    let (sum, overflow) = attoseconds.addingReportingOverflow(duration.attoseconds)
    guard overflow else { return Duration(attoseconds: sum) }
    return Duration(attoseconds: duration < .zero ? .min : .max)
  }
}
