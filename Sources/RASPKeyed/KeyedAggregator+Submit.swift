import Aggregate
import Streams

extension KeyedAggregator {
  /// Folds an event and waits until its round is over; see ``/Aggregate/Aggregator/submit(_:isolation:)``.
  ///
  /// - Returns: the fate of the event. Cancelling the task gives up the wait alone: the event is still folded.
  /// - Errors: throws the reason for which the row refused the event. The refusal is reported on ``rejections``, too. A
  ///   row that refuses its first event is not made.
  /// - Complexity: the cost of the event, and a few allocations if it has to wait.
  @inlinable
  @discardableResult
  public func submit(
    _ event: State.Event,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(State.Rejection) -> Submission {
    let (now, later) = core.submit(event)
    return try await Receipt.submission(now, or: later, isolation: isolation)
  }

  /// Returns when everything that was accepted before has been folded, and its rounds are over; see
  /// ``/Aggregate/Aggregator/drained(isolation:)``.
  ///
  /// - Complexity: O(1), beside the events that wait.
  public func drained(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation(isolation: isolation) { done in core.behindAllEvents { done.resume() } }
  }
}

extension KeyedCore {
  /// It stands apart, so that the function that waits is small enough to become a part of those that call it.
  @inlinable
  @inline(never)
  func submit(_ event: State.Event) -> Receipt<State.Rejection>.Answer {
    let key = router.key(of: event)
    return router.withShard(of: key) { $0.queue.submit(RowEvent(event: event, key: key, source: nil)) }
  }
}
