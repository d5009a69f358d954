/// The rankings of several shards in one.
@usableFromInline
struct RankingMerge<Key: Hashable & Sendable, State: AggregateState, Value: Comparable & Sendable>: ShardCombiner {
  @usableFromInline typealias Row = RankedRow<Key, State, Value>

  /// The first row of a part that has not been taken.
  @usableFromInline
  struct Head: Sendable {
    @usableFromInline var value: Value
    @usableFromInline let part: Int
    @usableFromInline var index = 0

    @inlinable
    init(_ value: Value, of part: Int) {
      self.value = value
      self.part = part
    }
  }

  @usableFromInline let order: RankedOrder<Value>
  @usableFromInline let length: Int
  /// What each shard has sent last.
  @usableFromInline var parts: [[Row]]
  @usableFromInline var isThere: [Bool]
  @usableFromInline var missing: Int

  @inlinable
  init(of shards: Int, first length: Int, descending isDescending: Bool) {
    order = RankedOrder(descending: isDescending)
    self.length = max(0, length)
    parts = Array(repeating: [], count: shards)
    isThere = Array(repeating: false, count: shards)
    missing = shards
  }

  @inlinable
  mutating func take(_ part: [Row], of shard: Int) -> [Row]? {
    if !isThere[shard] {
      isThere[shard] = true
      missing -= 1
    }
    parts[shard] = part
    return missing == 0 ? merged(parts) : nil
  }

  @inlinable
  static func whole(_ part: [Row]) -> [Row] { part }

  /// The first rows of all parts. Of rows with equal values, those of the first part come first.
  ///
  /// - Complexity: O(parts + `length` × log parts), whatever the number of rows is.
  @inlinable
  func merged(_ parts: [[Row]]) -> [Row] {
    // The next row of each part, with the one that comes first on top.
    var heads = RankedHeap<Head>(room: parts.count)
    var count = 0
    for part in parts.indices {
      count += parts[part].count
      if let first = parts[part].first { heads.insert(Head(first.value, of: part), by: precedes) }
    }
    var rows: [Row] = []
    rows.reserveCapacity(min(length, count))
    while rows.count < length, !heads.isEmpty {
      var head = heads.top
      let part = parts[head.part]
      rows.append(part[head.index])
      head.index += 1
      if head.index < part.count {
        head.value = part[head.index].value
        heads.replaceTop(with: head, by: precedes)
      } else {
        heads.removeTop(by: precedes)
      }
    }
    return rows
  }

  @inlinable
  @inline(__always)
  func precedes(_ left: Head, _ right: Head) -> Bool {
    if order.precedes(left.value, right.value) { return true }
    return left.part < right.part && !order.precedes(right.value, left.value)
  }
}
