import Aggregate

/// Tells the key of an event, and the shard of a key.
///
/// It cannot be copied: closures and objects that are borrowed from memory are used without counting references.
/// Threads that send at once would all write the same counts.
///
/// Safe to share: nothing in it changes.
@usableFromInline
struct EventRouter<Key: Hashable & Sendable, State: AggregateState>: ~Copyable, Sendable {
  @usableFromInline let keyOf: @Sendable (State.Event) -> Key
  /// Finds the shard of a key where the rows belong to the partitions of a log; `nil` if there is one shard.
  @usableFromInline let indexOf: (@Sendable (Key) -> Int)?
  /// The shards, which the core keeps alive.
  @usableFromInline let shards: [Unmanaged<KeyedShard<Key, State>>]

  init(
    to shards: [KeyedShard<Key, State>],
    keyOf: @escaping @Sendable (State.Event) -> Key,
    indexOf: (@Sendable (Key) -> Int)?
  ) {
    self.keyOf = keyOf
    self.indexOf = indexOf
    self.shards = shards.map { .passUnretained($0) }
  }

  /// The key of an event.
  @inlinable
  @inline(__always)
  borrowing func key(of event: State.Event) -> Key { keyOf(event) }

  /// The index of the shard of a key: the same for equal keys.
  @inlinable
  @inline(__always)
  borrowing func index(of key: Key) -> Int {
    guard let indexOf else { return 0 }
    return indexOf(key)
  }

  /// Calls `body` with the shard of a key.
  @inlinable
  @inline(__always)
  borrowing func withShard<Result>(of key: Key, _ body: (KeyedShard<Key, State>) -> Result) -> Result {
    shards[index(of: key)]._withUnsafeGuaranteedRef { body($0) }
  }
}
