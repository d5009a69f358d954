/// The only way anything here learns of time: it is injected, so that tests run on virtual time.
///
/// Instants are durations since an origin of the scheduler's own. Only differences between instants of one scheduler
/// mean anything.
public protocol Scheduler: Sendable {
  /// The time elapsed since the scheduler's origin. Never goes back.
  var now: Duration { get }

  /// Runs `action` once at `instant`, or as soon as possible if that has passed.
  ///
  /// - Returns: a token; cancelling or releasing it drops the action if it has not begun.
  /// - Ordering: actions that are due at different instants begin in the order of the instants, those due at the same
  ///   instant in the order they were scheduled, if the scheduler runs them one by one, as virtual time does.
  func schedule(at instant: Duration, _ action: @escaping @Sendable () -> Void) -> Subscription
}

extension Scheduler {
  /// Suspends until the scheduler has reached `instant`; returns at once if that is not in the future.
  ///
  /// - Throws: `CancellationError` when the task is cancelled, at once and also if it was before.
  public func sleep(until instant: Duration) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    guard instant > now else { return }
    let wake = Latch()
    let timer = schedule(at: instant) { wake.fire() }
    await withTaskCancellationHandler {
      await wake.wait()
    } onCancel: {
      timer.cancel()
      wake.fire()
    }
    if Task.isCancelled { throw CancellationError() }
  }
}
