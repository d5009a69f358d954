public import Aggregate
public import RASPKeyed
public import Streams

extension LoggedAggregator {
  // MARK: Rows

  /// The row of a key. It is there if it has had an event, and if its partition is owned here.
  ///
  /// - Complexity: O(1).
  public subscript(key: Key) -> AggregateRow<Key, State> { setup.rows[key] }

  /// The number of rows in the partitions that are owned here.
  public var rowCount: Int { setup.rows.rowCount }

  /// Copies the rows of the partitions that are owned here; see ``/RASPKeyed/KeyedAggregator/rows()``.
  public func rows() -> [Key: State] { setup.rows.rows() }

  /// A field of all rows here, with one subscription; see ``/RASPKeyed/KeyedAggregator``.
  public func each<Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<State, Field> & Sendable
  ) -> Observable<(key: Key, value: Field), Never> {
    setup.rows.each(keyPath)
  }

  /// What a selector reads of all rows here, with one subscription; see ``/RASPKeyed/KeyedAggregator``.
  public func each<Field: Sendable>(
    _ selector: any StateReading<State, Field>
  ) -> Observable<(key: Key, value: Field), Never> {
    setup.rows.each(selector)
  }

  /// The rows that are there, and then every change. A partition that is taken over inserts its rows, and one that is
  /// lost removes them.
  public var changes: Observable<RowChange<Key, State>, Never> { setup.rows.changes }

  /// The first rows here in the order of a value; see ``/RASPKeyed/KeyedAggregator/ranked(by:_:first:)``.
  ///
  /// - Complexity: a change among the first rows of a partition is O(`count` × partitions).
  public func ranked<Value: Comparable & Sendable>(
    by value: @escaping @Sendable (State) -> Value,
    _ order: RankingOrder = .descending,
    first count: Int
  ) -> RowQuery<[RankedRow<Key, State, Value>]> {
    setup.rows.ranked(by: value, order, first: count)
  }

  /// The number of rows here that satisfy a condition.
  public func count(where condition: @escaping @Sendable (State) -> Bool) -> RowQuery<Int> {
    setup.rows.count(where: condition)
  }

  /// The keys of the rows here that satisfy a condition.
  public func keys(where condition: @escaping @Sendable (State) -> Bool) -> RowQuery<Set<Key>> {
    setup.rows.keys(where: condition)
  }

  /// The keys of all rows here.
  public var keys: RowQuery<Set<Key>> { setup.rows.keys }

  /// The events that a row has refused. They are in the log, and are refused again when they are folded again.
  public var rejections: Observable<RejectedEvent<State>, Never> { setup.rows.rejections }

  /// What may be a mistake in the program.
  public var diagnostics: Observable<AggregatorDiagnostic, Never> { setup.rows.diagnostics }

  /// The events that are folded here from now on, also those that a row refuses. When a partition is taken over, the
  /// entries behind its record come again.
  ///
  /// - Ordering: while a subscriber runs, the row is as the event has made it.
  /// - Complexity: O(1) for each event and subscriber.
  public var events: Observable<State.Event, Never> { setup.rows.events }

  /// The number of entries that wait to be folded here.
  ///
  /// - Complexity: O(partitions).
  public var pendingCount: Int { setup.rows.pendingCount }
}
