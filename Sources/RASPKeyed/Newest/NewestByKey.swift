public import Streams

/// What has changed since the last look, one entry for each key that has: for a reader of many rows that is slower than
/// their events.
///
///     for await changes in quotes.newest(of: symbols, \.price) {
///       for (symbol, price) in changes { show(price, of: symbol) }      // nil: there is no such row
///     }
///
/// The first look gives what is there. A value that was replaced before the reader came to it is skipped, so memory is
/// O(keys), however slow the reader is.
///
/// Each iterator has subscriptions of its own, made when the iterator is made. Leaving the loop, or releasing the
/// iterator, cancels them. The sequence ends when all its streams have ended and the reader has seen everything, or
/// with its task.
///
/// - Ordering: the keys of one look stand in the order in which they changed first since the look before.
/// - Concurrency: a sender never waits for a reader.
/// - Complexity: an event costs what its selection costs and O(1) for each reader of its key, whatever the number of
///   keys is. A look is O(keys that have changed).
public struct NewestByKey<Key: Hashable & Sendable, Value: Sendable>: AsyncSequence, Sendable {
  /// One look.
  public typealias Element = [(key: Key, value: Value)]

  /// What has a state does not fail.
  public typealias Failure = Never

  @usableFromInline let changes: Observable<(key: Key, value: Value), Never>

  /// Reads several streams, each of which has a key.
  ///
  /// - Parameter streams: the streams with their keys. Of those with one key, the first counts.
  /// - Complexity: O(streams).
  @inlinable
  public init(_ streams: some Sequence<(key: Key, stream: Observable<Value, Never>)>) {
    var known: Set<Key> = []
    let streams = streams.filter { known.insert($0.key).inserted }
    self.init(.merge(streams.map { key, stream in stream.map { (key: key, value: $0) } }))
  }

  /// Reads a stream whose values have keys.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(_ stream: Observable<(key: Key, value: Value), Never>) {
    changes = stream
  }

  /// Subscribes.
  ///
  /// - Complexity: as subscribing to the streams.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    let unread = UnreadValues<Key, Value>()
    // Keys are hashed here, and not where the values are: user code runs under no lock.
    let signals: Observable<Void, Never> = changes.handleValues(with: { [Key: Int]() }) { indices, change, observer in
      let index = indices[change.key] ?? unread.add(change.key)
      indices[change.key] = index
      if unread.put(change.value, at: index) { observer.send(()) }
    }
    return AsyncIterator(unread: unread, signals: signals.values(buffering: .newest(1)).makeAsyncIterator())
  }

  /// The subscription of one reader.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline let unread: UnreadValues<Key, Value>
    /// Its values say that there is something to read. The subscription is cancelled when the iterator goes away.
    @usableFromInline var signals: AsyncValues<Void, Never>.AsyncIterator

    @inlinable
    init(unread: UnreadValues<Key, Value>, signals: AsyncValues<Void, Never>.AsyncIterator) {
      self.unread = unread
      self.signals = signals
    }

    /// What has changed since the last look, as soon as something has; `nil` at the end and from then on.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> [(key: Key, value: Value)]? {
      // A reader that was cancelled while it was being woken reads nothing more.
      while await signals.next(isolation: actor) != nil, !Task.isCancelled {
        // A look may have taken what is there just before its signal was sent.
        let changes = unread.take()
        if !changes.isEmpty { return changes }
      }
      _ = unread.take()
      return nil
    }
  }
}

@available(*, unavailable)
extension NewestByKey.AsyncIterator: Sendable {}

/// The newest value of each key that one reader has not seen, in the order of the first change.
///
/// Safe to share: everything is behind the lock, and values are released after unlocking.
@usableFromInline
final class UnreadValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline
  struct Contents: Sendable {
    @usableFromInline var slots: [(key: Key, value: Value?)] = []
    /// The indices of the slots that have a value.
    @usableFromInline var changed: [Int] = []

    @inlinable
    init() {}
  }

  @usableFromInline let contents = Lock(Contents())

  @inlinable
  init() {}

  /// Makes a slot for a key.
  ///
  /// - Returns: its index.
  @inlinable
  func add(_ key: Key) -> Int {
    contents.withLock { contents in
      contents.slots.append((key: key, value: nil))
      return contents.slots.count - 1
    }
  }

  /// - Returns: whether there was nothing to read before.
  @inlinable
  func put(_ value: Value, at index: Int) -> Bool {
    var value: Value? = value
    return contents.withLock { contents in
      let isFirst = contents.changed.isEmpty
      swap(&value, &contents.slots[index].value)
      if value == nil { contents.changed.append(index) }
      return isFirst
    }
  }

  @inlinable
  func take() -> [(key: Key, value: Value)] {
    contents.withLock { contents in
      let changes = contents.changed.compactMap { index in
        contents.slots[index].value.take().map { (key: contents.slots[index].key, value: $0) }
      }
      contents.changed.removeAll(keepingCapacity: true)
      return changes
    }
  }
}
