import Synchronization
import TestSupport

/// Sees numbers that may only grow: the last one, and whether one ever was a step back.
final class Watch: Sendable {
  private let newest = Atomic<Int>(.min)
  private let back = Flag()
  let calls = Counter()

  var last: Int { newest.load(ordering: .acquiring) }
  var steppedBack: Bool { back.isRaised }

  func see(_ value: Int) {
    calls.increment()
    if value < newest.exchange(value, ordering: .acquiringAndReleasing) { back.raise() }
  }
}

/// A value with shared storage, like a collection, that counts how often a change had to copy that storage.
struct CopyProbe: Sendable {
  private final class Storage: Sendable {
    let number: Atomic<Int>

    init(_ number: Int) {
      self.number = Atomic(number)
    }
  }

  private var storage = Storage(0)
  private let copies: Counter

  init(copies: Counter) {
    self.copies = copies
  }

  var number: Int { storage.number.load(ordering: .relaxed) }

  mutating func increment() {
    if !isKnownUniquelyReferenced(&storage) {
      storage = Storage(number)
      copies.increment()
    }
    storage.number.wrappingAdd(1, ordering: .relaxed)
  }
}
