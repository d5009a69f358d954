import Aggregate
public import Streams

extension KeyedAggregator {
  /// Makes an aggregator whose rows are made on demand and which is fed by `sources`, which are subscribed to in the
  /// order given.
  ///
  ///     let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() }, sources: feed)
  ///
  /// - Parameters:
  ///   - key: tells the row to which an event belongs. A key path to a stored property costs nothing.
  ///   - initial: returns the state of a row before its first event.
  ///   - rows: the rows that are there from the start, in the order in which they count as made. A dictionary has
  ///     another order in each process.
  ///   - policy: what becomes of events that arrive while others are being folded, as for an ``/Aggregate/Aggregator``.
  ///   - eviction: which rows are given up.
  ///   - scheduler: tells the time for the eviction of idle rows.
  ///   - sources: the streams of events to fold. They may differ in the type of their failures.
  /// - Complexity: O(rows and sources), beside the cost of subscribing to the sources.
  @inlinable
  public convenience init<each Failure: Error>(
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    rows: any Sequence<(key: Key, value: State)> = [],
    buffering policy: BufferingPolicy = .unbounded,
    evicting eviction: RowEviction = .never,
    on scheduler: any Scheduler = .continuous,
    sources: repeat Observable<State.Event, each Failure>
  ) {
    var newcomers: [AnySource<State.Event>] = []
    repeat newcomers.append(AnySource(each sources))
    self.init(
      shards: 1,
      by: key,
      initial: initial,
      rows: rows,
      buffering: policy,
      evicting: eviction,
      on: scheduler,
      newcomers: newcomers
    )
  }

  /// Makes an aggregator whose rows are divided among several shards, so that several threads can fold at once. It
  /// stands apart from the above, so that it is specialised for the row: a function over a pack of failures is not.
  ///
  /// - Parameters:
  ///   - indexOf: finds the shard of a key, the same one for equal keys. One shard needs none.
  ///   - eviction: holds for each shard by itself.
  @inlinable
  package convenience init(
    shards: Int,
    indexOf: (@Sendable (Key) -> Int)? = nil,
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    rows: any Sequence<(key: Key, value: State)> = [],
    buffering policy: BufferingPolicy = .unbounded,
    evicting eviction: RowEviction = .never,
    on scheduler: any Scheduler = .continuous,
    newcomers: [AnySource<State.Event>] = []
  ) {
    self.init(
      core: KeyedCore(
        keyOf: key,
        makeRow: initial,
        shards: shards,
        indexOf: indexOf,
        buffering: policy,
        evicting: eviction,
        idle: { $0.evictIdleRows(on: $1) },
        on: scheduler
      )
    )
    core.putFirst(rows)
    if !newcomers.isEmpty { core.add(newcomers) }
  }
}
