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

  @usableFromInline let begin: @Sendable (KeyedChannel<Key, Value>) -> [Subscription]

  /// Reads several streams, each of which has a key.
  ///
  /// - Parameter streams: the streams with their keys. Of those with one key, the first counts.
  /// - Complexity: O(streams).
  @inlinable
  public init(_ streams: some Sequence<(key: Key, stream: Observable<Value, Never>)>) {
    var known: Set<Key> = []
    let streams = streams.filter { known.insert($0.key).inserted }
    begin = { channel in
      channel.open(streams.map { $0.key })
      return streams.enumerated().map { index, entry in
        entry.stream.subscribe {
          channel.put($0, at: index)
        } onEnd: { _ in
          channel.end()
        }
      }
    }
  }

  /// Reads a stream whose values have keys.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init(_ stream: Observable<(key: Key, value: Value), Never>) {
    begin = { channel in
      // Keys are hashed here, and not by the channel: user code runs under no lock.
      let numbered: Observable<(index: Int, value: Value), Never> = stream.handleValues(with: { [Key: Int]() }) {
        indices,
        change,
        observer in
        let index = indices[change.key] ?? channel.addSlot(of: change.key)
        indices[change.key] = index
        observer.send((index, change.value))
      }
      return [
        numbered.subscribe {
          channel.put($0.value, at: $0.index)
        } onEnd: { _ in
          channel.end()
        }
      ]
    }
  }

  /// Subscribes.
  ///
  /// - Complexity: as subscribing to the streams.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator {
    let channel = KeyedChannel<Key, Value>()
    let subscriptions = begin(channel)
    channel.start(subscriptions.count)
    return AsyncIterator(channel: channel, subscriptions: subscriptions)
  }

  /// The subscriptions of one reader.
  public struct AsyncIterator: AsyncIteratorProtocol {
    @usableFromInline let channel: KeyedChannel<Key, Value>
    /// They are cancelled when the iterator goes away.
    @usableFromInline let subscriptions: [Subscription]

    @inlinable
    init(channel: KeyedChannel<Key, Value>, subscriptions: [Subscription]) {
      self.channel = channel
      self.subscriptions = subscriptions
    }

    /// What has changed since the last look, as soon as something has; `nil` at the end and from then on.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> [(key: Key, value: Value)]? {
      let (channel, subscriptions) = (channel, subscriptions)
      return await withTaskCancellationHandler {
        await channel.next(isolation: actor)
      } onCancel: {
        channel.cancel()
        for subscription in subscriptions { subscription.cancel() }
      }
    }
  }
}

@available(*, unavailable)
extension NewestByKey.AsyncIterator: Sendable {}
