import Aggregate
public import Streams

// The overloads for streams are preferred: with them the compiler knows the type of the events before it looks at the
// closures of the sources.
extension KeyedAggregator {
  /// Makes an aggregator that is fed by an array of sources.
  ///
  /// - Complexity: O(rows and sources), beside the cost of subscribing to the sources.
  @inlinable
  public convenience init(
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    rows: any Sequence<(key: Key, value: State)> = [],
    buffering policy: BufferingPolicy = .unbounded,
    evicting eviction: RowEviction = .never,
    on scheduler: any Scheduler = .continuous,
    sources: [some ObservableConvertible<State.Event, some Error>]
  ) {
    self.init(
      shards: 1,
      by: key,
      initial: initial,
      rows: rows,
      buffering: policy,
      evicting: eviction,
      on: scheduler,
      newcomers: sources.map { AnySource($0.observable) }
    )
  }

  /// Makes an aggregator that is fed by subjects, selections and streams.
  ///
  /// - Complexity: O(rows and sources), beside the cost of subscribing to the sources.
  @_disfavoredOverload
  @inlinable
  public convenience init<each Failure: Error>(
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    rows: any Sequence<(key: Key, value: State)> = [],
    buffering policy: BufferingPolicy = .unbounded,
    evicting eviction: RowEviction = .never,
    on scheduler: any Scheduler = .continuous,
    sources: repeat any ObservableConvertible<State.Event, each Failure>
  ) {
    self.init(
      by: key,
      initial: initial,
      rows: rows,
      buffering: policy,
      evicting: eviction,
      on: scheduler,
      sources: repeat (each sources).observable
    )
  }

  /// Replaces all sources by subjects, selections and streams, as `replace(sources:)` does by streams.
  ///
  /// - Concurrency: when several threads replace at once, the sources of the last one remain.
  @_disfavoredOverload
  @inlinable
  public func replace<each Failure: Error>(sources: repeat any ObservableConvertible<State.Event, each Failure>) {
    replace(sources: repeat (each sources).observable)
  }
}
