import Streams

extension Aggregator {
  /// Folds an event and waits until its round is over: the way to send with backpressure, and to learn of a refusal.
  ///
  ///     do {
  ///       _ = try await account.submit(.withdraw(100))
  ///     } catch {
  ///       show(error)  // why the state refused it
  ///     }
  ///
  /// A bound on the line of the aggregator does not drop a submitted event.
  ///
  /// - Returns: the fate of the event. Cancelling the task gives up the wait alone: the event is still folded.
  /// - Ordering: the event is folded behind everything that was accepted before, as with ``send(_:)``.
  /// - Concurrency: it may be called from any task, and suspends without holding a thread. A subscriber of the same
  ///   aggregator must not block its thread until it returns: the event is folded when that subscriber has returned.
  /// - Errors: throws the reason for which the state refused the event. The refusal is reported on ``rejections``, too.
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

  /// Returns when everything that was accepted before has been folded, and its rounds are over; at once if that is so
  /// now.
  ///
  ///     for reading in readings { meters.send(reading) }
  ///     await meters.drained()
  ///     check(meters.snapshot)
  ///
  /// What is sent meanwhile, by subscribers too, comes behind it, and what a source has not sent yet is not waited for.
  ///
  /// - Concurrency: as for ``submit(_:isolation:)``. Cancelling the task does not end the wait.
  /// - Complexity: O(1), beside the events that wait.
  public func drained(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation(isolation: isolation) { done in core.behindAllEvents { done.resume() } }
  }
}

extension AggregatorCore {
  @inlinable
  func submit(_ event: State.Event) -> Receipt<State.Rejection>.Answer {
    queue.submit(Incoming(event: event, source: nil))
  }
}
