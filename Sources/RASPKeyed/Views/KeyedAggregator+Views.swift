import Aggregate
public import Streams

extension KeyedAggregator {
  // MARK: All rows

  /// Sends a field of all rows with the key of its row: first those that are there, then each that changes. A row that
  /// is removed is not reported; see ``changes``.
  ///
  ///     let token = quotes.each(\.price).subscribe { symbol, price in show(symbol, price) }
  ///
  /// - Ordering: a newcomer gets the rows that are there in the order in which they were made. Subscribers are called
  ///   in the order of subscription, together with those of rows and other views.
  /// - Complexity: an event costs one read of the field before it and one after it, for all subscribers to one stream.
  ///   To subscribe is O(rows log rows).
  @inlinable
  public func each<Field: Equatable & Sendable>(
    _ keyPath: any KeyPath<State, Field> & Sendable
  ) -> Observable<(key: Key, value: Field), Never> {
    each(StateSelector(keyPath))
  }

  /// Sends what a selector reads of all rows, with the key of the row: first those that are there, then each that
  /// changes.
  ///
  /// - Parameter selector: a ``/Aggregate/StateSelector``; a comparison of its own is asked with what was reported
  ///   last.
  /// - Ordering: as for the form with a key path.
  /// - Complexity: as for the form with a key path. A selector with a comparison of its own remembers a field for each
  ///   row.
  @inlinable
  public func each<Field: Sendable>(
    _ selector: any StateReading<State, Field>
  ) -> Observable<(key: Key, value: Field), Never> {
    let selector = selector.selector
    return core.merged { shard in RowView(of: shard) { FieldTracker(selector, $0) }.observable }
  }

  /// Sends what happens to the rows: first an insertion for each row that is there, then each insertion, update and
  /// removal.
  ///
  /// - Ordering: as for ``each(_:)-(KeyPath<State,Field>Sendable)``.
  /// - Complexity: O(1) for each event and subscriber. To subscribe is O(rows log rows). A subscriber that keeps a
  ///   state makes the next event of this row copy the collections that it changes.
  @inlinable
  public var changes: Observable<RowChange<Key, State>, Never> { core.merged { $0.changes } }

  /// Sends every event that came in, also those that a row refused. A newcomer gets the events that come from then on.
  ///
  /// - Ordering: while a subscriber runs, the row is as the event has made it.
  /// - Complexity: O(1) for each event and subscriber.
  @inlinable
  public var events: Observable<State.Event, Never> { core.merged { $0.events } }

  // MARK: Queries

  /// The first rows in the order of a value. It changes when one of them changes, or when another row takes a place
  /// among them.
  ///
  ///     let token = quotes.ranked(by: \.change, first: 20).subscribe { rows in show(rows) }
  ///
  /// Rows with equal values are in the order in which they were made. A value that does not equal itself (NaN) comes
  /// last.
  ///
  /// - Parameters:
  ///   - value: reads the value by which rows are ranked.
  ///   - order: the greatest value first, unless you say otherwise.
  ///   - count: the number of rows to be shown.
  /// - Complexity: an event that changes the rank of a row is O(log rows), whatever the number of places is by which
  ///   the row moves, and O(`count`) if a row that is shown is concerned.
  @inlinable
  public func ranked<Value: Comparable & Sendable>(
    by value: @escaping @Sendable (State) -> Value,
    _ order: RankingOrder = .descending,
    first count: Int
  ) -> RowQuery<[RankedRow<Key, State, Value>]> {
    let order = RankedOrder<Value>(descending: order == .descending)
    return core.query(
      { shard in RowView(of: shard) { RankingTracker(first: count, order, by: value, $0) } },
      combiner: RankingMerge(of: core.shards.count, first: count, order)
    ) { states in
      let entries = states.map { RankedEntry(value: value($0.value), number: $0.number, row: $0) }
      return order.first(count, of: entries).map { RankedRow(key: $0.row.key, state: $0.row.value, value: $0.value) }
    }
  }

  /// The number of rows that satisfy a condition, which must depend on nothing but the state of the row: it is asked
  /// when a row changes, and not when something else does.
  ///
  /// - Complexity: an event costs the condition, before it and after it.
  @inlinable
  public func count(where condition: @escaping @Sendable (State) -> Bool) -> RowQuery<Int> {
    core.query(
      { shard in RowView(of: shard) { CountTracker(condition, $0) } },
      combiner: CountSum(of: core.shards.count)
    ) { states in states.count { condition($0.value) } }
  }

  /// The keys of the rows that satisfy a condition.
  ///
  /// - Complexity: an event costs the condition, before it and after it. A change is O(1), and O(keys) if a subscriber
  ///   keeps the set, because the next change copies it then.
  @inlinable
  public func keys(where condition: @escaping @Sendable (State) -> Bool) -> RowQuery<Set<Key>> {
    let sendsAll = core.shards.count == 1
    return core.query(
      { shard in RowView(of: shard) { KeysTracker(condition, sendingAll: sendsAll, $0) } },
      combiner: KeysUnion()
    ) { states in .all(Set(states.lazy.filter { condition($0.value) }.map(\.key))) }
  }

  /// The keys of all rows.
  ///
  /// - Complexity: O(1) for each row that comes or goes; O(keys) if a subscriber keeps the set.
  @inlinable
  public var keys: RowQuery<Set<Key>> { keys { _ in true } }

  // MARK: Reports

  /// The events that a row refused, and the reasons; see ``/Aggregate/AggregateState/apply(_:)``.
  ///
  /// - Ordering: a refusal is reported behind the round of the event.
  public var rejections: Observable<RejectedEvent<State>, Never> { core.reports.rejections }

  /// The mistakes that a debug build noticed in the use of this aggregator, and what every build reports, see
  /// ``/Aggregate/AggregatorDiagnostic``.
  public var diagnostics: Observable<AggregatorDiagnostic, Never> { core.reports.diagnostics }
}

/// The order of a ranking.
public enum RankingOrder: Sendable, Hashable {
  /// The smallest value first.
  case ascending

  /// The greatest value first.
  case descending
}
