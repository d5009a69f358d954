import Aggregate

/// A key and a part of its hash: found once for each event, before the event enters the queue, so that no reader waits
/// for code of the user.
@usableFromInline
struct HashedKey<Key: Hashable & Sendable>: Sendable {
  @usableFromInline let key: Key
  @usableFromInline let hash: UInt32

  @inlinable
  @inline(__always)
  init(_ key: Key) {
    self.key = key
    hash = UInt32(truncatingIfNeeded: key.hashValue)
  }

  /// Puts a key and its hash together again.
  @inlinable
  init(_ key: Key, hash: UInt32) {
    self.key = key
    self.hash = hash
  }
}

/// An event on its way to its row, and the identity of the source it came from, because that source may be removed
/// while the event waits in the line.
@usableFromInline
struct RowEvent<Key: Hashable & Sendable, Event: Sendable>: Sendable {
  @usableFromInline let event: Event
  @usableFromInline let key: HashedKey<Key>
  @usableFromInline let source: SourceID?

  @inlinable
  init(event: Event, key: HashedKey<Key>, source: SourceID?) {
    self.event = event
    self.key = key
    self.source = source
  }
}
