import Synchronization

/// A latch that opens once, and one task that may wait for it.
///
/// Safe to share: the state is behind the lock, and the continuation is resumed after unlocking by the one call that
/// took it out.
@usableFromInline
package final class Latch: Sendable {
  private enum State: Sendable {
    case closed
    case waiting(CheckedContinuation<Void, Never>)
    case open
  }

  private let state = Lock(State.closed)

  package init() {}

  /// Opens the latch. Opening it again does nothing.
  package func open() {
    if case .waiting(let continuation) = state.exchange(with: .open) { continuation.resume() }
  }

  /// Returns when the latch is open. One task may wait.
  package func wait() async {
    if case .open = state.withLock({ $0 }) { return }
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if case .open = state { return true }
        if case .waiting = state { assertionFailure("Two tasks wait for one latch.") }
        state = .waiting(continuation)
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Calls a closure when it has been counted down to zero.
///
/// Safe to share: the count is atomic.
package final class CountDownLatch: Sendable {
  private let remaining: Atomic<Int>
  private let done: @Sendable () -> Void

  package init(_ count: Int, then done: @escaping @Sendable () -> Void) {
    remaining = Atomic(count)
    self.done = done
  }

  /// Counts down by one. The last call calls the closure.
  package func countDown() {
    let left = remaining.subtract(1, ordering: .acquiringAndReleasing).newValue
    assert(left >= 0, "A count-down latch was counted down more often than its count.")
    if left == 0 { done() }
  }
}
