/// A value of one of any number of inputs, or the newest values of all of them.
///
/// It is what ``CombinedRow`` is for a few, but nothing of it is specialised, because all of it is loops over a pack.
package struct CombinedPack<each Value: Sendable>: CombinedRow {
  private var values: (repeat (each Value)?)

  package static var inputCount: Int {
    var count = 0
    for _ in repeat (each Value).self { count += 1 }
    return count
  }

  package init() {
    values = (repeat Optional<each Value>.none)
  }

  /// Makes the value of the input at `position`, which has that type.
  package init<One: Sendable>(_ value: One, at position: Int) {
    var next = 0
    func take<Other: Sendable>(_ type: Other.Type) -> Other? {
      defer { next += 1 }
      return next == position ? value as? Other : nil
    }
    values = (repeat take((each Value).self))
    assert(position < next, "There is no input of that number.")
  }

  package mutating func keep(_ newer: CombinedPack) {
    values = (repeat newest(each newer.values, each values))
  }

  /// The compiler cannot pass a tuple of a pack through the stage, so the tuple is made behind it.
  package var all: CombinedPack? {
    for value in repeat each values {
      if value == nil { return nil }
    }
    return self
  }

  package func hasValue(of input: Int) -> Bool {
    var next = 0
    for value in repeat each values {
      if next == input { return value != nil }
      next += 1
    }
    return false
  }

  /// All values. Each input must have one.
  package var tuple: (repeat each Value) {
    (repeat (each values).unsafelyUnwrapped)
  }

  private func newest<One: Sendable>(_ newer: One?, _ older: One?) -> One? {
    newer ?? older
  }
}
