/// Something that happens once, and one task that may wait for it.
///
/// Safe to share: the state is behind the lock, and the continuation is resumed after unlocking, by whoever took it out.
package final class Latch: Sendable {
  private enum State: Sendable {
    case idle
    case waiting(CheckedContinuation<Void, Never>)
    case fired
  }

  private let state = Lock(State.idle)

  package init() {}

  package func fire() {
    if case .waiting(let continuation) = state.exchange(with: .fired) { continuation.resume() }
  }

  /// Returns when `fire` has been called, at once if it has been. For one waiter.
  package func wait() async {
    await withCheckedContinuation { continuation in
      let fired = state.withLock { state in
        if case .fired = state { return true }
        state = .waiting(continuation)
        return false
      }
      if fired { continuation.resume() }
    }
  }
}
