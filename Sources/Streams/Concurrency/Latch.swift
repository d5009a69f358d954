import Synchronization

/// A gate that opens once, and one task that may wait for it.
///
/// Safe to share: the state is behind the lock, and the continuation is resumed after unlocking by the one call that
/// took it out.
package final class Latch: Sendable {
  private enum State: Sendable {
    case closed
    case waiting(CheckedContinuation<Void, Never>)
    case open
  }

  private let state = Lock(State.closed)

  package init() {}

  /// Opens the latch. Opening it again does nothing.
  package func fire() {
    if case .waiting(let continuation) = state.exchange(with: .open) { continuation.resume() }
  }

  /// Returns when the latch is open. One task may wait.
  package func wait() async {
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

/// Calls a closure when the last of several steps has been made.
///
/// Safe to share: the count is atomic.
package final class CountDownLatch: Sendable {
  private let remaining: Atomic<Int>
  private let done: @Sendable () -> Void

  package init(_ count: Int, then done: @escaping @Sendable () -> Void) {
    remaining = Atomic(count)
    self.done = done
  }

  /// Makes one step; the last one calls the closure.
  package func step() {
    let left = remaining.subtract(1, ordering: .acquiringAndReleasing).newValue
    assert(left >= 0, "A count-down latch was counted down more often than its count.")
    if left == 0 { done() }
  }
}
