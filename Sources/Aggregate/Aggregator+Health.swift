public import Streams

extension Aggregator {
  /// Adds a source with a name while the aggregator runs.
  ///
  ///     geo.add(gps.retry(.exponential(from: .seconds(1))).map(GeoEvent.location), as: "gps")
  ///
  /// - Parameters:
  ///   - source: the stream of events.
  ///   - name: the name, for ``health(of:)``. It must differ from those of the other named sources that run.
  ///   - scheduler: the source of time for the instants of ``SourceHealth``.
  /// - Returns: the source's identity, as for ``add(_:)``.
  /// - Complexity: as for ``add(_:)``; each event reads the clock.
  @discardableResult
  public func add(
    _ source: some ObservableConvertible<State.Event, some Error>,
    as name: String,
    on scheduler: some Scheduler = .continuous
  ) -> SourceID {
    add(source.named(name, on: scheduler))
  }

  /// The health of all named sources, in the order in which they came. Sources that have ended or failed are among them
  /// until another one takes their name; removed ones are not.
  ///
  /// - Concurrency: may be read from any thread, also from inside callbacks.
  /// - Complexity: O(named sources).
  public var sources: [SourceHealth] { core.reports.hubs.presentHealth?.sources ?? [] }

  /// The health of the source with a name; `nil` if there is none, or if it was removed.
  ///
  /// - Concurrency: may be called from any thread, also from inside callbacks.
  /// - Complexity: O(1).
  public func health(of name: String) -> SourceHealth? { core.reports.hubs.presentHealth?.health(of: name) }

  /// Sends the health of each named source: those that there are first, then each one that is added or whose health
  /// changes. An event by itself is no change, only the first one after an outage is.
  ///
  /// - Ordering: the newest health of a source comes last. Changes that follow one another quickly may be sent as one.
  /// - Completion: finishes with the aggregator.
  /// - Complexity: O(1) per change and subscriber.
  public var healthChanges: Observable<SourceHealth, Never> { core.health.changes }
}
