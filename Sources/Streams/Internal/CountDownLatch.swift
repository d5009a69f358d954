import Synchronization

/// Does something when the last of several has reported. Safe to share: atomic.
package final class CountDownLatch: Sendable {
  private let remaining: Atomic<Int>
  private let done: @Sendable () -> Void

  package init(_ count: Int, then done: @escaping @Sendable () -> Void) {
    remaining = Atomic(count)
    self.done = done
  }

  package func step() {
    if remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done() }
  }
}
