import Aggregate
import Streams

/// Counts the rows that satisfy a condition.
@usableFromInline
struct CountTracker<Key: Hashable & Sendable, State: AggregateState>: RowTracker {
  @usableFromInline let condition: RowCondition<State>
  @usableFromInline var count = 0
  @usableFromInline var didMatch = false

  @inlinable
  init(_ condition: RowCondition<State>, _ store: RowStore<Key, State>) {
    self.condition = condition
    for row in store.rows.values where condition.matches(row) { count += 1 }
  }

  @inlinable
  @inline(__always)
  mutating func willChange(_ row: KeyedRow<Key, State>) {
    didMatch = condition.matches(row)
  }

  @inlinable
  @inline(__always)
  mutating func didChange(_ row: KeyedRow<Key, State>) -> Int? {
    let matches = condition.matches(row)
    guard matches != didMatch else { return nil }
    // A condition that looks at more than the state may answer otherwise than when the row was counted.
    count = max(0, count + (matches ? 1 : -1))
    return count
  }

  @inlinable
  mutating func forget() {}

  @inlinable
  func sendFirst(_ store: RowStore<Key, State>, _ send: (Int) -> Void) {
    send(count)
  }

  @inlinable var answer: Int? { count }
}

/// The sum of the counts of several shards.
@usableFromInline
struct CountSum: ShardCombiner {
  @usableFromInline var parts: [Int?]
  @usableFromInline var missing: Int
  @usableFromInline var sum = 0

  @inlinable
  init(of shards: Int) {
    parts = Array(repeating: nil, count: shards)
    missing = shards
  }

  @inlinable
  mutating func take(_ part: Int, of shard: Int) -> Int? {
    if parts[shard] == nil { missing -= 1 }
    sum += part - (parts[shard] ?? 0)
    parts[shard] = part
    return missing == 0 ? sum : nil
  }

  @inlinable
  static func whole(_ part: Int) -> Int { part }

  @inlinable
  func merged(_ parts: [Int]) -> Int { parts.reduce(0, +) }
}

/// A condition of a user on the state of a row.
@usableFromInline
struct RowCondition<State: AggregateState>: Sendable {
  @usableFromInline let isSatisfied: @Sendable (State) -> Bool

  @inlinable
  init(isSatisfied: @escaping @Sendable (State) -> Bool) {
    self.isSatisfied = isSatisfied
  }

  /// A row that is not there satisfies no condition.
  @inlinable
  @inline(__always)
  func matches<Key>(_ row: KeyedRow<Key, State>) -> Bool {
    row.hasState && row.presentState.read(isSatisfied)
  }
}
