import Aggregate

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
  @usableFromInline let condition: @Sendable (State) -> Bool
  /// Is `true` if subscribers get the whole set at each change. With several shards they get the one that has changed:
  /// a set that waits to be put together with others would be copied at the next change.
  @usableFromInline let sendsAll: Bool
  @usableFromInline var keys: Set<Key>

  @inlinable
  init(
    _ condition: @escaping @Sendable (State) -> Bool,
    sendingAll sendsAll: Bool,
    _ store: RowStore<Key, State>
  ) {
    self.condition = condition
    self.sendsAll = sendsAll
    keys = Set(store.rows.values.lazy.filter { $0.satisfies(condition) }.map(\.key))
  }

  @inlinable
  @inline(__always)
  mutating func look(at row: KeyedRow<Key, State>) -> Bool { row.satisfies(condition) }

  @inlinable
  @inline(__always)
  mutating func didChange(_ row: KeyedRow<Key, State>, from didMatch: Bool) -> KeysChange<Key>? {
    let matches = row.satisfies(condition)
    guard matches != didMatch else { return nil }
    let key = row.key
    if matches { keys.insert(key) } else { keys.remove(key) }
    if sendsAll { return .all(keys) }
    return matches ? .inserted(key) : .removed(key)
  }

  @inlinable var answer: KeysChange<Key>? { .all(keys) }
}

/// The keys of several shards in one set.
@usableFromInline
struct KeysUnion<Key: Hashable & Sendable>: ShardCombiner {
  @usableFromInline var whole: Set<Key> = []

  @inlinable
  init() {}

  @inlinable
  mutating func take(_ part: KeysChange<Key>, of shard: Int) {
    switch part {
    case .inserted(let key): whole.insert(key)
    case .removed(let key): whole.remove(key)
    // Each shard sends it once, at first.
    case .all(let keys): whole.formUnion(keys)
    }
  }

  @inlinable
  static func whole(_ part: KeysChange<Key>) -> Set<Key> {
    // A tracker without others sends the whole set.
    guard case .all(let keys) = part else { return [] }
    return keys
  }
}
