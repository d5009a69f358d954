import Synchronization

/// Counts deliveries: the observer of every shape, ours and theirs.
final class Tally: Sendable {
  private let number = Atomic<Int>(0)

  var count: Int { number.load(ordering: .relaxed) }

  func increment(by amount: Int = 1) {
    number.wrappingAdd(amount, ordering: .relaxed)
  }
}
