import Synchronization

/// How long one subscription lasts: active until its first end or its first cancellation, whichever comes first.
///
/// One lifetime serves a whole chain of single-input operators. Every stage asks it before it calls anybody's closure
/// (contract, rules 1 and 6), and the source registers here how to let go of the chain (rule 7).
///
/// Safe to share: the flag is atomic and changes once, the teardowns are behind the lock.
@usableFromInline
package final class Lifetime: Sendable {
  @usableFromInline
  package typealias Teardown = @Sendable () -> Void

  @usableFromInline let terminated = Atomic<Bool>(false)
  private let teardowns = Lock<[Teardown]?>([])

  @usableFromInline
  package init() {}

  /// A lifetime that ends with its parent at the latest: one input of an operator that may have several, at once or one
  /// after the other.
  @usableFromInline
  package convenience init(within parent: Lifetime) {
    self.init()
    parent.onTermination { self.terminate() }
  }

  @inlinable
  package var isActive: Bool {
    @inline(__always) get { !terminated.load(ordering: .acquiring) }
  }

  /// Ends the lifetime. The first caller gets `true`, after it has run the teardowns in the order they came.
  @usableFromInline
  @discardableResult
  package func terminate() -> Bool {
    guard
      terminated.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    else { return false }
    for teardown in teardowns.exchange(with: nil) ?? [] { teardown() }
    return true
  }

  /// Runs `teardown` once: when the lifetime ends, or now if it has ended.
  @usableFromInline
  package func onTermination(_ teardown: @escaping Teardown) {
    let kept = teardowns.withLock { teardowns in
      teardowns?.append(teardown)
      return teardowns != nil
    }
    if !kept { teardown() }
  }
}
