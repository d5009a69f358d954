public import Streams

/// A value that is found in all rows of a ``KeyedAggregator``: a ranking, a count, a set of keys. It has a current
/// value, and its subscribers are told when it changes.
///
///     let halted = quotes.count(where: \.isHalted)
///     halted.current                                   // now
///     let token = halted.subscribe { badge($0) }       // now, and whenever it changes
///
/// The work is done once for all subscribers to one query, and only while there are any. So keep the query where
/// several subscribers share it.
///
/// - Ordering: with one shard, as for ``/Aggregate/Selection``. With several, each change of a shard's part makes a new
///   value.
/// - Concurrency: every member may be called from any thread, also from inside callbacks.
public struct RowQuery<Value: Sendable>: Sendable, ObservableConvertible {
  @usableFromInline let read: @Sendable () -> Value

  /// Sends the value now, and whenever it changes. Finishes with the aggregator.
  public let observable: Observable<Value, Never>

  @inlinable
  init(_ observable: Observable<Value, Never>, read: @escaping @Sendable () -> Value) {
    self.observable = observable
    self.read = read
  }

  /// The present value.
  ///
  /// - Complexity: that of copying the value, while this query is subscribed to. Otherwise O(rows), for a ranking
  ///   O(rows log rows): all rows are copied and looked at.
  @inlinable
  public var current: Value { read() }

  /// The newest value, for `for await`. A reader that is late skips the values that it missed.
  @inlinable
  public var values: NewestValues<Value> {
    NewestValues(of: observable, unless: { _, _ in false })
  }
}
