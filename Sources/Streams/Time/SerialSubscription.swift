/// Holds one subscription that is replaced while its parent lives, such as the pending tick of a timer.
///
/// Safe to share: the state is behind the lock, and what is taken out is cancelled after unlocking.
@usableFromInline
final class SerialSubscription: Sendable {
  private enum State: Sendable {
    case open(generation: Int, Subscription?)
    case closed
  }

  private let state = Lock(State.open(generation: 0, nil))

  /// Makes a holder that is emptied and closed when `parent` ends.
  init(of parent: Lifetime) {
    parent.onTermination { self.close() }
  }

  /// Cancels the subscription it holds and keeps `subscription` instead; cancels `subscription` itself if it is closed.
  ///
  /// - Parameter generation: rises with each use. A scheduler may run an action, and the action may replace the
  ///   subscription for the next generation, before the token for that action is returned. The token comes too late
  ///   then and is cancelled.
  func replace(with subscription: Subscription?, generation: Int) {
    let replaced = state.withLock { state in
      guard case .open(let latest, let current) = state, latest <= generation else { return subscription }
      state = .open(generation: generation, subscription)
      return current
    }
    replaced?.cancel()
  }

  private func close() {
    guard case .open(_, let current) = state.exchange(with: .closed) else { return }
    current?.cancel()
  }
}
