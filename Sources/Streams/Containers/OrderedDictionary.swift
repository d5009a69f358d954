/// A dictionary whose values are walked in the order in which they came.
///
/// - Complexity: adding is O(1) amortised, removing O(log n) amortised, walking O(n).
package struct OrderedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var numbers: [Key: Int] = [:]
  private var list = NumberedList<Value>()
  private var lastNumber = 0

  package init() {}

  package var isEmpty: Bool { list.isEmpty }
  package var count: Int { list.count }

  /// All keys, in no order.
  package var keys: [Key] { Array(numbers.keys) }

  /// All values, in the order in which they came.
  package var values: [Value] { list.values }

  /// Adds a value behind all others. If the key is there already, its old value is removed.
  package mutating func add(_ value: Value, for key: Key) {
    lastNumber += 1
    if let former = numbers.updateValue(lastNumber, forKey: key) { _ = list.remove(former) }
    list.append(value, number: lastNumber)
    assert(numbers.count == list.count, "An ordered dictionary has lost a value.")
  }

  package mutating func remove(_ key: Key) -> Value? {
    numbers.removeValue(forKey: key).flatMap { list.remove($0) }
  }
}
