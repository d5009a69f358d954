import Synchronization

/// How many values the readers of one sequence have lost. Safe to share: atomic.
@usableFromInline
package final class DropCounter: Sendable {
  @usableFromInline let drops = Atomic<Int>(0)

  @usableFromInline
  package init() {}

  package var count: Int { drops.load(ordering: .relaxed) }

  @inlinable
  package func increment() {
    drops.wrappingAdd(1, ordering: .relaxed)
  }
}
