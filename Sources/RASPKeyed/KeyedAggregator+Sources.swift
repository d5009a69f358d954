public import Aggregate
public import Streams

extension KeyedAggregator {
  /// Adds a source while the aggregator runs; see ``/Aggregate/Aggregator/add(_:)``.
  ///
  /// - Returns: the source's identity, for ``remove(source:)`` and in ``sourceFailures``.
  /// - Complexity: O(1), beside the cost of subscribing to the source.
  @inlinable
  @discardableResult
  public func add(_ source: some ObservableConvertible<State.Event, some Error>) -> SourceID {
    core.add(AnySource(source))
  }

  /// Adds a source of packets while the aggregator runs: events that arrived together, such as what one read of a
  /// socket has brought. The events of a packet are folded with nothing between them, and enter the line once.
  ///
  /// - Returns: as for ``add(_:)``.
  /// - Complexity: O(1), beside the cost of subscribing to the source.
  @inlinable
  @discardableResult
  public func add(packets source: some ObservableConvertible<[State.Event], some Error>) -> SourceID {
    core.add(AnySource(packets: source))
  }

  /// Cancels a source; see ``/Aggregate/Aggregator/remove(source:)``.
  ///
  /// - Returns: `false` if there is no such source: never added here, removed, finished or failed.
  @discardableResult
  public func remove(source: SourceID) -> Bool {
    core.sources.remove(source)
  }

  /// Replaces all sources: cancels the old ones and subscribes to these. The rows stay as they are.
  ///
  /// - Concurrency: when several threads replace at once, the sources of the last one remain.
  @inlinable
  public func replace<each Failure: Error>(sources: repeat any ObservableConvertible<State.Event, each Failure>) {
    core.replaceSources(with: AnySource.list(repeat each sources))
  }

  /// Replaces all sources by those of an array.
  ///
  /// - Complexity: as for `replace(sources:)` with several arguments.
  @inlinable
  public func replace(sources: [some ObservableConvertible<State.Event, some Error>]) {
    core.replaceSources(with: sources.map { AnySource($0) })
  }

  /// The sources that failed, as they fail; see ``/Aggregate/Aggregator/sourceFailures``.
  ///
  /// - Ordering: a failure is reported behind the events that the source had sent before.
  public var sourceFailures: Observable<SourceFailure, Never> { core.reports.sourceFailures }

  /// Adds a source with a name while the aggregator runs; see ``/Aggregate/Aggregator/add(_:as:on:)``.
  ///
  /// - Parameters:
  ///   - source: the stream of events.
  ///   - name: the name on ``health``. It must differ from those of the other named sources that run.
  ///   - scheduler: the source of time for the instants of ``/Aggregate/SourceHealth``.
  /// - Returns: the source's identity, as for ``add(_:)``.
  @discardableResult
  public func add(
    _ source: some ObservableConvertible<State.Event, some Error>,
    as name: String,
    on scheduler: some Scheduler = .continuous
  ) -> SourceID {
    core.add(source, as: name, on: scheduler)
  }

  /// The health of the sources that have names; see ``/Aggregate/Aggregator/health``.
  ///
  /// - Complexity: O(1).
  public var health: HealthBoard { core.health }
}
