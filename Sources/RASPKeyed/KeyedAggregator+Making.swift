import Aggregate
public import Streams

extension KeyedAggregator {
  /// Makes an aggregator whose rows are made on demand and which is fed by `sources`, which are subscribed to in the
  /// order given.
  ///
  ///     let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() }, sources: feed)
  ///
  /// An array of sources is given to ``replace(sources:)-([ObservableConvertible])``.
  ///
  /// - Parameters:
  ///   - key: tells the row to which an event belongs. A key path to a stored property costs nothing.
  ///   - initial: returns the state of a row before its first event.
  ///   - rows: the rows that are there from the start, in the order in which they count as made. A dictionary has
  ///     another order in each process.
  ///   - options: the bound of the line, and which rows are given up.
  ///   - sources: the streams, subjects and selections whose events are folded. They may differ in the type of their
  ///     failures.
  /// - Complexity: O(rows and sources), beside the cost of subscribing to the sources.
  @inlinable
  public convenience init<each Failure: Error>(
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    rows: any Sequence<(key: Key, value: State)> = [],
    options: KeyedOptions = KeyedOptions(),
    sources: repeat any ObservableConvertible<State.Event, each Failure>
  ) {
    self.init(
      shards: 1,
      by: key,
      initial: initial,
      rows: rows,
      options: options,
      newcomers: AnySource.list(repeat each sources)
    )
  }

  /// Makes an aggregator whose rows are divided among several shards, so that several threads can fold at once. It
  /// stands apart from the above, so that it is specialised for the row: a function over a pack of failures is not.
  ///
  /// - Parameters:
  ///   - indexOf: finds the shard of a key, the same one for equal keys. One shard needs none.
  ///   - options: an eviction holds for each shard by itself.
  @inlinable
  package convenience init(
    shards: Int,
    indexOf: (@Sendable (Key) -> Int)? = nil,
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    rows: any Sequence<(key: Key, value: State)> = [],
    options: KeyedOptions = KeyedOptions(),
    newcomers: [AnySource<State.Event>] = []
  ) {
    self.init(
      core: KeyedCore(
        keyOf: key,
        makeRow: initial,
        shards: shards,
        indexOf: indexOf,
        options: options,
        idle: { $0.evictIdleRows(on: $1) }
      )
    )
    core.putFirst(rows)
    if !newcomers.isEmpty { core.replaceSources(with: newcomers) }
  }
}
