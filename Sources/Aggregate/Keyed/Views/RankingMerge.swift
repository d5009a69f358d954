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
  /// - Complexity: O(`length` × parts), whatever the number of rows is.
  @inlinable
  func merged(_ parts: [[Row]]) -> [Row] {
    // The values side by side: each row of the result looks at all of them.
    var heads: [Head] = []
    heads.reserveCapacity(parts.count)
    var count = 0
    for part in parts.indices {
      count += parts[part].count
      if let first = parts[part].first { heads.append(Head(first.value, of: part)) }
    }
    var rows: [Row] = []
    rows.reserveCapacity(min(length, count))
    while rows.count < length, !heads.isEmpty {
      let first = heads.withUnsafeBufferPointer { indexOfFirst(in: $0) }
      let (part, next) = (heads[first].part, heads[first].index + 1)
      rows.append(parts[part][next - 1])
      if next == parts[part].count {
        heads.remove(at: first)
      } else {
        heads[first].index = next
        heads[first].value = parts[part][next].value
      }
    }
    return rows
  }

  /// The index of the head that comes first.
  @inlinable
  @inline(__always)
  func indexOfFirst(in heads: UnsafeBufferPointer<Head>) -> Int {
    var first = 0
    var index = 1
    while index < heads.count {
      if order.precedes(heads[index].value, heads[first].value) { first = index }
      index += 1
    }
    return first
  }
}
