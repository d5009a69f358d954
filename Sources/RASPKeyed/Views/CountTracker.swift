import Aggregate

/// Counts the rows that satisfy a condition.
@usableFromInline
struct CountTracker<Key: Hashable & Sendable, State: AggregateState>: RowTracker {
  @usableFromInline let condition: @Sendable (State) -> Bool
  @usableFromInline var count: Int

  @inlinable
  init(_ condition: @escaping @Sendable (State) -> Bool, _ store: RowStore<Key, State>) {
    self.condition = condition
    count = store.rows.values.count { $0.satisfies(condition) }
  }

  @inlinable
  @inline(__always)
  mutating func look(at row: KeyedRow<Key, State>) -> Bool { row.satisfies(condition) }

  @inlinable
  @inline(__always)
  mutating func didChange(_ row: KeyedRow<Key, State>, from didMatch: Bool) -> Int? {
    let matches = row.satisfies(condition)
    guard matches != didMatch else { return nil }
    // A condition that looks at more than the state may answer otherwise than when the row was counted.
    count = max(0, count + (matches ? 1 : -1))
    return count
  }

  @inlinable var answer: Int? { count }
}

/// The sum of the counts of several shards.
@usableFromInline
struct CountSum: ShardCombiner {
  @usableFromInline var parts: [Int]

  @inlinable
  init(of shards: Int) {
    parts = Array(repeating: 0, count: shards)
  }

  @inlinable
  mutating func take(_ part: Int, of shard: Int) { parts[shard] = part }

  @inlinable var whole: Int { parts.reduce(0, +) }

  @inlinable
  static func whole(_ part: Int) -> Int { part }
}
