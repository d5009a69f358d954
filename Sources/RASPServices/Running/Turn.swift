import Streams

/// A stretch of code that has something to itself: a mutation its model, a watcher its place in the order of snapshots.
///
/// What it sends meanwhile is postponed. If it waited instead, an action that comes back to the same model would wait for
/// a turn that waits for it, and so would two models that send to each other.
///
/// Safe to share: the list is behind the lock.
final class Turn: Sendable {
  /// `nil` when the turn is over: what is sent from then on, by a task that was left behind, is sent at once.
  private let sent = Lock<[Delivery.Postponed]?>([])

  /// - Returns: `false` when the turn is over.
  func postpone(_ action: @escaping Delivery.Postponed) -> Bool {
    sent.withLock { sent in
      sent?.append(action)
      return sent != nil
    }
  }

  func end() -> [Delivery.Postponed] {
    sent.withLock { $0.take() } ?? []
  }

  /// Runs `body` as a turn. What it sends is put in line in `delivery`, also if it throws.
  static func during<Failure: Error>(
    _ delivery: Delivery,
    _ body: @Sendable () async throws(Failure) -> Void
  ) async throws(Failure) {
    let turn = Turn()
    var context = CallContext.current
    context.turn = turn
    defer { delivery.postpone(turn.end()) }
    try await CallContext.with(context, body)
  }
}
