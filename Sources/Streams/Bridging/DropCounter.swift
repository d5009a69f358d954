import Synchronization

/// How many values a bounded buffer gave up. Safe to share: atomic.
final class DropCounter: Sendable {
  private let drops = Atomic<Int>(0)

  var count: Int { drops.load(ordering: .relaxed) }

  func increment() {
    drops.wrappingAdd(1, ordering: .relaxed)
  }
}
