import Aggregate

/// The rankings of several shards in one. Of rows with equal values, those of the first shard come first.
@usableFromInline
struct RankingMerge<Key: Hashable & Sendable, State: AggregateState, Value: Comparable & Sendable>: ShardCombiner {
  @usableFromInline typealias Row = RankedRow<Key, State, Value>

  @usableFromInline let order: RankedOrder<Value>
  @usableFromInline let length: Int
  /// The first rows of each shard.
  @usableFromInline var parts: [[Row]]

  @inlinable
  init(of shards: Int, first length: Int, _ order: RankedOrder<Value>) {
    self.order = order
    self.length = length
    parts = Array(repeating: [], count: shards)
  }

  @inlinable
  mutating func take(_ part: [Row], of shard: Int) { parts[shard] = part }

  /// - Complexity: O(`length` × shards), whatever the number of rows is.
  @inlinable var whole: [Row] {
    var rows: [Row] = []
    // The index of the first row of each part that has not been taken.
    var next = Array(repeating: 0, count: parts.count)
    while rows.count < length {
      var first: Int?
      for part in parts.indices where next[part] < parts[part].count {
        if let first, !order.precedes(parts[part][next[part]].value, parts[first][next[first]].value) { continue }
        first = part
      }
      guard let first else { break }
      rows.append(parts[first][next[first]])
      next[first] += 1
    }
    return rows
  }

  @inlinable
  static func whole(_ part: [Row]) -> [Row] { part }
}
