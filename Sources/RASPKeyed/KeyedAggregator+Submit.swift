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
  /// Folds an event if the queue of its shard is idle; otherwise the event waits in line.
  ///
  /// - Returns: the outcome, or the receipt that will have it.
  @inlinable
  func submit(_ event: State.Event) -> (Receipt<State.Rejection>.Outcome?, Receipt<State.Rejection>?) {
    let key = router.key(of: event)
    var outcome: Receipt<State.Rejection>.Outcome?
    var receipt: Receipt<State.Rejection>?
    router.withShard(of: key) { shard in
      shard.queue.run { shell, access in
        outcome = shell.submit(event, for: key, access)
      } orLater: {
        let made = Receipt<State.Rejection>()
        receipt = made
        return { shell, access in made.settle(shell.submit(event, for: key, access)) }
      }
    }
    return (outcome, receipt)
  }
}

extension KeyedShell {
  /// Folds an event that was submitted.
  @inlinable
  @inline(never)
  mutating func submit(
    _ event: State.Event,
    for key: Key,
    _ access: QueueAccess
  ) -> Receipt<State.Rejection>.Outcome {
    guard !tree.hasEnded else { return .decided(.finished) }
    do throws(State.Rejection) {
      try fold(event, for: key, isSubmitted: true, access)
      return .decided(.folded)
    } catch {
      return .refused(error)
    }
  }
}
