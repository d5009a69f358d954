/// A row in a ranking, and the value that gives it its place.
@usableFromInline
struct RankedEntry<Value: Comparable & Sendable, Row: Sendable>: Sendable {
  @usableFromInline var value: Value
  /// Rises with each row that is made.
  @usableFromInline let number: UInt64
  @usableFromInline let row: Row

  @inlinable
  init(value: Value, number: UInt64, row: Row) {
    self.value = value
    self.number = number
    self.row = row
  }
}

/// The order of a ranking. A value that does not equal itself (NaN) comes last, whatever the order is.
@usableFromInline
struct RankedOrder<Value: Comparable & Sendable>: Sendable {
  @usableFromInline let isDescending: Bool

  @inlinable
  init(descending isDescending: Bool) {
    self.isDescending = isDescending
  }

  /// Whether a value comes before another one, and not beside it.
  @inlinable
  @inline(__always)
  func precedes(_ left: Value, _ right: Value) -> Bool {
    if isDescending ? right < left : left < right {
      // Most values come here, and equal themselves.
      return left == left
    }
    return left == left && right != right
  }

  /// Whether an entry stands before another one: by its value, and of equal values the one that was made first.
  @inlinable
  @inline(__always)
  func precedes<Row>(_ left: RankedEntry<Value, Row>, _ right: RankedEntry<Value, Row>) -> Bool {
    if precedes(left.value, right.value) { return true }
    return left.number < right.number && !precedes(right.value, left.value)
  }

  /// The first entries of many, in their order.
  ///
  /// - Complexity: O(n log n).
  @inlinable
  func first<Row>(_ length: Int, of entries: [RankedEntry<Value, Row>]) -> [RankedEntry<Value, Row>] {
    Array(entries.sorted { precedes($0, $1) }.prefix(max(0, length)))
  }
}
