/// A dictionary whose values are walked in the order in which they came.
///
/// - Complexity: adding and removing are O(1), walking sorts.
package struct OrderedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    let order: Int
    let value: Value
  }

  private var entries: [Key: Entry] = [:]
  private var lastOrder = 0

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }
  package var count: Int { entries.count }

  /// All keys, in no order.
  package var keys: [Key] { Array(entries.keys) }

  /// All values, in the order in which they came.
  package var values: [Value] {
    // Not by key path: to make one takes longer than all the rest.
    entries.values.sorted { $0.order < $1.order }.map { $0.value }
  }

  /// Adds a value behind all others. If the key is there already, its old value is removed.
  package mutating func add(_ value: Value, for key: Key) {
    lastOrder += 1
    assert(entries.count < lastOrder, "An ordered dictionary has more entries than were added.")
    entries[key] = Entry(order: lastOrder, value: value)
  }

  package mutating func remove(_ key: Key) -> Value? {
    entries.removeValue(forKey: key)?.value
  }
}
