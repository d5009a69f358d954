public import Aggregate
import RASPKeyed
public import Streams

extension LoggedAggregator {
  // MARK: Sources

  /// Adds a source, whose events are appended to the log. They are folded by the owners of their rows.
  ///
  /// Everything that waits for a partition is appended by one call. A source that can wait, such as an asynchronous
  /// sequence, is read on when its event is durable; to be fast, it sends packets.
  ///
  /// - Returns: the source's identity, for ``remove(source:)`` and in ``sourceFailures``.
  /// - Ordering: the events of one source that belong to one partition keep their order.
  /// - Errors: a log that cannot be reached is tried again; see ``unappended`` for everything else.
  /// - Complexity: O(1), beside the cost of subscribing to the source.
  @discardableResult
  public func add(_ source: some ObservableConvertible<State.Event, some Error>) -> SourceID {
    let newcomer = AnySource(source.observable)
    lines.add([newcomer])
    return newcomer.id
  }

  /// Adds a source of packets: events that arrived together.
  ///
  /// - Returns: as for ``add(_:)``.
  /// - Complexity: O(1), beside the cost of subscribing to the source.
  @discardableResult
  public func add(packets source: some ObservableConvertible<[State.Event], some Error>) -> SourceID {
    let newcomer = AnySource<State.Event>(packets: source.observable)
    lines.add([newcomer])
    return newcomer.id
  }

  /// Adds a source with a name; see ``/Aggregate/Aggregator/add(_:as:on:)``.
  ///
  /// - Parameters:
  ///   - source: the stream of events.
  ///   - name: the name, for ``health(of:)``. It must differ from those of the other named sources that run.
  ///   - scheduler: the source of time for the instants of ``/Aggregate/SourceHealth``.
  /// - Returns: as for ``add(_:)``.
  @discardableResult
  public func add(
    _ source: some ObservableConvertible<State.Event, some Error>,
    as name: String,
    on scheduler: some Scheduler = .continuous
  ) -> SourceID {
    add(source.named(name, on: scheduler))
  }

  /// Cancels a source. What it has sent and what is not in the log yet is not appended.
  ///
  /// - Returns: `false` if there is no such source: never added here, removed, finished or failed.
  @discardableResult
  public func remove(source: SourceID) -> Bool { lines.sources.remove(source) }

  /// The sources that failed, as they fail, behind the events that they had sent before.
  public var sourceFailures: Observable<SourceFailure, Never> { lines.reports.sourceFailures }

  /// The health of all named sources; see ``/Aggregate/Aggregator/sources``. It tells of the sources, not of the log.
  ///
  /// - Complexity: O(named sources).
  public var sources: [SourceHealth] { lines.reports.hubs.presentHealth?.sources ?? [] }

  /// The health of the source with a name; `nil` if there is none, or if it was removed.
  ///
  /// - Complexity: O(named sources).
  public func health(of name: String) -> SourceHealth? { lines.reports.hubs.presentHealth?.health(of: name) }

  /// Sends the health of each named source, and whenever it changes; see ``/Aggregate/Aggregator/healthChanges``.
  ///
  /// - Complexity: O(1) per change and subscriber.
  public var healthChanges: Observable<SourceHealth, Never> { lines.health.changes }

  /// The events of sources that are not appended, from now on: the log does not take them, or it is not known whether
  /// it has them. To append them again is up to the subscriber.
  public var unappended: Observable<UnappendedEvents<State.Event>, Never> { lines.unappended.observable }

  // MARK: Events

  /// The events that are folded here from now on, also those that a row refuses. When a partition is taken over, the
  /// entries behind its record come again.
  ///
  /// - Ordering: while a subscriber runs, the row is as the event has made it.
  /// - Complexity: O(1) for each event and subscriber.
  public var events: Observable<State.Event, Never> { setup.rows.events }

  /// The number of events of sources that are not appended yet, and of entries that wait to be folded here.
  ///
  /// - Complexity: O(partitions).
  public var pendingCount: Int { lines.count + setup.rows.pendingCount }
}
