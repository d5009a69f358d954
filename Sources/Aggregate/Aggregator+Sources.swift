public import Streams

extension Aggregator {
  /// Adds a source while the aggregator runs.
  ///
  /// - Returns: the source's identity, for ``remove(source:)`` and in ``sourceFailures``. An aggregator that has
  ///   finished subscribes to nothing.
  /// - Ordering: events that the source sends at once are folded before this returns, if no other thread delivers.
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
  /// - Ordering: as for ``add(_:)``.
  /// - Complexity: O(1), beside the cost of subscribing to the source.
  @inlinable
  @discardableResult
  public func add(packets source: some ObservableConvertible<[State.Event], some Error>) -> SourceID {
    core.add(AnySource(packets: source))
  }

  /// Adds a source with a name while the aggregator runs: its health is noted on ``health``.
  ///
  ///     let fixes = gps.retry(.exponential(from: .seconds(1)), onEvent: geo.health.retries(of: "gps"))
  ///     geo.add(fixes.map(GeoEvent.location), as: "gps")
  ///     geo.health["gps"]?.outages
  ///
  /// - Parameters:
  ///   - source: the stream of events.
  ///   - name: the name on ``health``. It must differ from those of the other named sources that run.
  ///   - scheduler: the source of time for the instants of ``SourceHealth``.
  /// - Returns: the source's identity, as for ``add(_:)``.
  /// - Complexity: as for ``add(_:)``; each event reads the clock.
  @discardableResult
  public func add(
    _ source: some ObservableConvertible<State.Event, some Error>,
    as name: String,
    on scheduler: some Scheduler = .continuous
  ) -> SourceID {
    core.add(source, as: name, on: scheduler)
  }

  /// The health of the sources that have names, those of ``add(_:as:on:)`` and streams that are `monitored` by this
  /// board.
  ///
  /// - Complexity: O(1).
  public var health: HealthBoard { core.health }

  /// Cancels a source. Once this has returned, no event of it is folded any more, except for one that another thread is
  /// folding or has just decided to fold; events of it that wait are dropped.
  ///
  /// - Returns: `false` if there is no such source: never added here, removed, finished or failed.
  /// - Complexity: O(1), beside the cost of cancelling the subscription to the source.
  @discardableResult
  public func remove(source: SourceID) -> Bool {
    core.sources.remove(source)
  }

  /// Replaces all sources: cancels the old ones and subscribes to these. The state stays as it is.
  ///
  /// - Concurrency: when several threads replace at once, the sources of the last one remain.
  /// - Complexity: O(n log n), n being the number of old and new sources, beside the cost of subscribing and
  ///   cancelling.
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

  /// The sources that failed, as they fail. Each is detached already. A newcomer gets the newest 16 failures first,
  /// because a source may fail before there can be a subscriber.
  ///
  /// - Ordering: a failure is reported behind the events that the source had sent before.
  /// - Complexity: O(1) per failure and subscriber.
  public var sourceFailures: Observable<SourceFailure, Never> { core.reports.sourceFailures }
}
