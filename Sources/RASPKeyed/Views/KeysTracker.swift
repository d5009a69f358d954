import Aggregate
import Streams

/// A set of keys, or what has become of it.
@usableFromInline
enum KeysChange<Key: Hashable & Sendable>: Sendable {
  case all(Set<Key>)
  case inserted(Key)
  case removed(Key)
}

/// The keys of the rows that satisfy a condition.
@usableFromInline
struct KeysTracker<Key: Hashable & Sendable, State: AggregateState>: RowTracker {
  @usableFromInline let condition: RowCondition<State>
  /// Is `true` if subscribers get the whole set at each change. With several shards they get the one that has changed:
  /// a set that waits to be put together with others would be copied at the next change.
  @usableFromInline let sendsAll: Bool
  @usableFromInline var keys: Set<Key> = []
  @usableFromInline var didMatch = false

  @inlinable
  init(_ condition: RowCondition<State>, sendingAll sendsAll: Bool, _ store: RowStore<Key, State>) {
    self.condition = condition
    self.sendsAll = sendsAll
    for row in store.rows.values where condition.matches(row) { keys.insert(row.key) }
  }

  @inlinable
  @inline(__always)
  mutating func willChange(_ row: KeyedRow<Key, State>) {
    didMatch = condition.matches(row)
  }

  @inlinable
  @inline(__always)
  mutating func didChange(_ row: KeyedRow<Key, State>) -> KeysChange<Key>? {
    let matches = condition.matches(row)
    guard matches != didMatch else { return nil }
    let key = row.key
    if matches { keys.insert(key) } else { keys.remove(key) }
    if sendsAll { return .all(keys) }
    return matches ? .inserted(key) : .removed(key)
  }

  @inlinable
  mutating func forget() {}

  @inlinable
  func sendFirst(_ store: RowStore<Key, State>, _ send: (KeysChange<Key>) -> Void) {
    send(.all(keys))
  }

  @inlinable var answer: Set<Key>? { keys }
}

/// The keys of several shards in one set.
@usableFromInline
struct KeysUnion<Key: Hashable & Sendable>: ShardCombiner {
  @usableFromInline var keys: Set<Key> = []
  @usableFromInline var missing: Int

  @inlinable
  init(of shards: Int) {
    missing = shards
  }

  @inlinable
  mutating func take(_ part: KeysChange<Key>, of shard: Int) -> Set<Key>? {
    switch part {
    case .inserted(let key): keys.insert(key)
    case .removed(let key): keys.remove(key)
    case .all(let part):
      // Each shard sends the first value to a subscriber once.
      if keys.isEmpty { keys = part } else { keys.formUnion(part) }
      missing -= 1
    }
    return missing == 0 ? keys : nil
  }

  @inlinable
  static func whole(_ part: KeysChange<Key>) -> Set<Key> {
    // A tracker without others sends the whole set.
    guard case .all(let keys) = part else { return [] }
    return keys
  }

  @inlinable
  func merged(_ parts: [Set<Key>]) -> Set<Key> {
    parts.reduce(into: []) { $0.formUnion($1) }
  }
}
