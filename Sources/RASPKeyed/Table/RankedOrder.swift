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
  /// - Parameter entry: makes the entry with an index. It may be called twice for the first and the last one.
  /// - Complexity: O(n log n). It is O(n) and a little for each entry that is among the first at its time, if these are
  ///   few.
  @inlinable
  func first<Row>(
    _ length: Int,
    of count: Int,
    _ entry: (Int) -> RankedEntry<Value, Row>
  ) -> [RankedEntry<Value, Row>] {
    let length = min(max(0, length), count)
    guard length > 0 else { return [] }
    guard length <= 256 else { return Array((0..<count).map(entry).sorted { precedes($0, $1) }.prefix(length)) }
    // Rows are often made in the order of their ranks, or in the opposite one: then each of the first is at the end.
    let isReversed = precedes(entry(count - 1), entry(0))
    let step = isReversed ? -1 : 1
    var index = isReversed ? count - 1 : 0
    var last = entry(index)
    var first: [RankedEntry<Value, Row>] = []
    first.reserveCapacity(length)
    first.append(last)
    for _ in 1..<count {
      index += step
      let newcomer = entry(index)
      if !precedes(newcomer, last) {
        if first.count == length { continue }
        first.append(newcomer)
      } else {
        if first.count == length { first.removeLast() }
        first.insert(newcomer, at: position(of: newcomer, in: first))
      }
      last = first[first.count - 1]
    }
    return first
  }

  /// The place of the first of some entries in their order that does not precede this one.
  @inlinable
  @inline(__always)
  func position<Row>(of entry: RankedEntry<Value, Row>, in entries: [RankedEntry<Value, Row>]) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(entries[middle], entry) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
