/// The rankings of several shards in one.
@usableFromInline
struct RankingMerge<Key: Hashable & Sendable, State: AggregateState, Value: Comparable & Sendable>: ShardCombiner {
  @usableFromInline typealias Row = RankedRow<Key, State, Value>

  /// The first row of a part that has not been taken.
  @usableFromInline
  struct Head: Sendable {
    @usableFromInline var value: Value?
    @usableFromInline var index = 0

    @inlinable
    init(of part: [Row]) {
      value = part.first?.value
    }
  }

  @usableFromInline let order: RankedOrder<Value>
  @usableFromInline let length: Int
  /// What each shard has sent last.
  @usableFromInline var parts: [[Row]?]
  @usableFromInline var missing: Int

  @inlinable
  init(of shards: Int, first length: Int, descending isDescending: Bool) {
    order = RankedOrder(descending: isDescending)
    self.length = max(0, length)
    parts = Array(repeating: nil, count: shards)
    missing = shards
  }

  @inlinable
  mutating func take(_ part: [Row], of shard: Int) -> [Row]? {
    if parts[shard] == nil { missing -= 1 }
    parts[shard] = part
    return missing == 0 ? merged(parts.map { $0.unsafelyUnwrapped }) : nil
  }

  @inlinable
  static func whole(_ part: [Row]) -> [Row] { part }

  /// The first rows of all parts. Of rows with equal values, those of the first part come first.
  ///
  /// - Complexity: O(`length` × parts), whatever the number of rows is.
  @inlinable
  func merged(_ parts: [[Row]]) -> [Row] {
    if parts.count == 1 { return parts[0] }
    var rows: [Row] = []
    rows.reserveCapacity(min(length, parts.reduce(0) { $0 + $1.count }))
    // The values side by side: each row of the result looks at all of them.
    var heads = parts.map { Head(of: $0) }
    while rows.count < length, let first = first(of: heads) {
      let next = heads[first].index + 1
      rows.append(parts[first][next - 1])
      heads[first].index = next
      heads[first].value = next < parts[first].count ? parts[first][next].value : nil
    }
    return rows
  }

  /// The index of the head that comes first.
  @inlinable
  @inline(__always)
  func first(of heads: [Head]) -> Int? {
    var first: Int?
    var best: Value?
    for index in heads.indices {
      guard let value = heads[index].value else { continue }
      if let best, !order.precedes(value, best) { continue }
      first = index
      best = value
    }
    return first
  }
}
