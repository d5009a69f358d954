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
  func precedes<Row>(_ left: RankedList<Value, Row>.Entry, _ right: RankedList<Value, Row>.Entry) -> Bool {
    if precedes(left.value, right.value) { return true }
    return left.number < right.number && !precedes(right.value, left.value)
  }

  /// The first entries of many, in their order.
  ///
  /// - Complexity: O(n log `length`).
  @inlinable
  func first<Row>(
    _ length: Int,
    of entries: some Sequence<RankedList<Value, Row>.Entry>
  ) -> [RankedList<Value, Row>.Entry] {
    guard length > 0 else { return [] }
    // The last of those that are kept is on top, and goes when another one comes before it.
    var kept = RankedHeap<RankedList<Value, Row>.Entry>(room: min(length, entries.underestimatedCount))
    for entry in entries {
      if kept.items.count < length {
        kept.insert(entry) { precedes($1, $0) }
      } else if precedes(entry, kept.top) {
        kept.replaceTop(with: entry) { precedes($1, $0) }
      }
    }
    var first: [RankedList<Value, Row>.Entry] = []
    first.reserveCapacity(kept.items.count)
    while !kept.isEmpty {
      first.append(kept.top)
      kept.removeTop { precedes($1, $0) }
    }
    first.reverse()
    return first
  }
}
