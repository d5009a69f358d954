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

  /// - Complexity: O(n log n) for n rows of all parts.
  @inlinable var whole: [Row] {
    let rows = Array(parts.joined())
    let entries = rows.indices.map { RankedEntry(value: rows[$0].value, number: UInt64($0), row: $0) }
    return order.first(length, of: entries).map { rows[$0.row] }
  }

  @inlinable
  static func whole(_ part: [Row]) -> [Row] { part }
}
