/// Holds one subscription that is replaced while its parent lives, such as the pending tick of a timer.
///
/// Safe to share: the state is behind the lock, and what is taken out is cancelled after unlocking.
@usableFromInline
package final class SubscriptionSlot: Sendable {
  private enum State: Sendable {
    case open(turn: Int, Subscription?)
    case closed
  }

  private let state = Lock(State.open(turn: 0, nil))

  /// A slot that is emptied and closed when `parent` ends.
  @usableFromInline
  package init(of parent: Lifetime) {
    parent.onTermination { self.close() }
  }

  /// Cancels what is there and puts `subscription` in its place; cancels `subscription` itself if the slot is closed.
  ///
  /// - Parameter turn: rises with each use. What a scheduler is asked to do may happen, and fill the slot for the next
  ///   turn, before the token for it is returned; the token comes too late then and is dropped.
  @usableFromInline
  package func replace(with subscription: Subscription?, turn: Int) {
    let replaced = state.withLock { state in
      guard case .open(let latest, let current) = state, latest <= turn else { return subscription }
      state = .open(turn: turn, subscription)
      return current
    }
    replaced?.cancel()
  }

  private func close() {
    guard case .open(_, let current) = state.exchange(with: .closed) else { return }
    current?.cancel()
  }
}
