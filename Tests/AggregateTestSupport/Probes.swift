import Synchronization
import TestSupport

/// A value with shared storage, like a collection, that counts how often a change had to copy that storage.
package struct CopyProbe: Sendable {
  private final class Storage: Sendable {
    let number: Atomic<Int>

    init(_ number: Int) {
      self.number = Atomic(number)
    }
  }

  private var storage = Storage(0)
  private let copies: Counter

  package init(copies: Counter) {
    self.copies = copies
  }

  package var number: Int { storage.number.load(ordering: .relaxed) }

  package mutating func increment() {
    if !isKnownUniquelyReferenced(&storage) {
      storage = Storage(number)
      copies.increment()
    }
    storage.number.wrappingAdd(1, ordering: .relaxed)
  }
}
