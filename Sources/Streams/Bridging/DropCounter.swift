import Synchronization

/// How many values a bounded buffer gave up. Safe to share: atomic.
@usableFromInline
final class DropCounter: Sendable {
  @usableFromInline let drops = Atomic<Int>(0)

  @usableFromInline
  init() {}

  var count: Int { drops.load(ordering: .relaxed) }

  @inlinable
  func increment() {
    drops.wrappingAdd(1, ordering: .relaxed)
  }
}
