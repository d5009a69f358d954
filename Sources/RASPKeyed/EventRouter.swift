import Aggregate
import RASPSupport

/// Tells the key of an event, and the shard of a key.
///
/// It cannot be copied: closures and objects that are borrowed from memory are used without counting references.
/// Threads that send at once would all write the same counts.
///
/// Safe to share: nothing in it changes, what is at the address included.
@usableFromInline
struct EventRouter<Key: Hashable & Sendable, State: AggregateState>: ~Copyable, Sendable {
  @usableFromInline let keyOf: @Sendable (State.Event) -> Key
  /// Finds the shard of a key where the rows belong to the partitions of a log; `nil` where the hash decides.
  @usableFromInline let indexOf: (@Sendable (Key) -> Int)?
  /// The shards, which the core keeps alive.
  @usableFromInline let shards: SharedAddress<UnsafeMutablePointer<Unmanaged<KeyedShard<Key, State>>>>
  @usableFromInline let count: Int

  init(
    to shards: [KeyedShard<Key, State>],
    keyOf: @escaping @Sendable (State.Event) -> Key,
    indexOf: (@Sendable (Key) -> Int)?
  ) {
    self.keyOf = keyOf
    self.indexOf = indexOf
    count = shards.count
    self.shards = SharedAddress(.allocate(capacity: shards.count))
    for (index, shard) in shards.enumerated() { (self.shards.pointer + index).initialize(to: .passUnretained(shard)) }
  }

  @inlinable
  deinit {
    shards.pointer.deallocate()
  }

  /// The key of an event, with its hash.
  @inlinable
  @inline(__always)
  borrowing func key(of event: State.Event) -> HashedKey<Key> { HashedKey(keyOf(event)) }

  /// The index of the shard of a key: the same for equal keys. One shard needs no hash.
  @inlinable
  @inline(__always)
  borrowing func index(of key: @autoclosure () -> HashedKey<Key>) -> Int {
    if count == 1 { return 0 }
    let key = key()
    if let indexOf { return indexOf(key.key) }
    // By the upper bits of the hash: the table of a shard finds its rows by the lower ones.
    return Int((UInt64(key.hash) &* UInt64(count)) >> 32)
  }

  /// Calls `body` with a shard.
  @inlinable
  @inline(__always)
  borrowing func withShard<Result>(at index: Int, _ body: (KeyedShard<Key, State>) -> Result) -> Result {
    shards.pointer[index]._withUnsafeGuaranteedRef { body($0) }
  }

  /// Calls `body` with the shard of a key.
  @inlinable
  @inline(__always)
  borrowing func withShard<Result>(of key: HashedKey<Key>, _ body: (KeyedShard<Key, State>) -> Result) -> Result {
    withShard(at: index(of: key), body)
  }
}
