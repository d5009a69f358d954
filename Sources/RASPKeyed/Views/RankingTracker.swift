import Aggregate

/// Keeps all rows in the order of a value, and reports the first ones.
@usableFromInline
struct RankingTracker<Key: Hashable & Sendable, State: AggregateState, Value: Comparable & Sendable>: RowTracker {
  @usableFromInline typealias Reference = KeyedRow<Key, State>
  @usableFromInline typealias Row = RankedRow<Key, State, Value>
  @usableFromInline typealias Element = [Row]
  /// A row is not retained: its entry leaves the list before the row leaves the store.
  @usableFromInline typealias List = RankedList<Value, Unmanaged<Reference>>

  @usableFromInline let read: @Sendable (State) -> Value
  @usableFromInline var ranking: List

  @inlinable
  init(
    first length: Int,
    _ order: RankedOrder<Value>,
    by read: @escaping @Sendable (State) -> Value,
    _ store: RowStore<Key, State>
  ) {
    self.read = read
    ranking = List(store.rows.values.compactMap { Self.entry(of: $0, read) }, order, window: length)
  }

  /// The entry of the row, as it is in the ranking before the change.
  @inlinable
  mutating func look(at row: Reference) -> List.Entry? { Self.entry(of: row, read) }

  @inlinable
  mutating func didChange(_ row: Reference, from old: List.Entry?) -> Element? {
    let isSeen =
      switch (old, Self.entry(of: row, read)) {
      case (let old?, let new?): ranking.move(old, to: new.value)
      case (let old?, nil): ranking.remove(old)
      case (nil, let new?): ranking.insert(new)
      case (nil, nil): false
      }
    return isSeen ? answer : nil
  }

  /// The first rows.
  @inlinable var answer: Element? {
    var rows: Element = []
    rows.reserveCapacity(min(ranking.windowLength, ranking.count))
    ranking.forEachInWindow { entry in
      entry.row._withUnsafeGuaranteedRef { row in
        if let state = row.state { rows.append(Row(key: row.key, state: state, value: entry.value)) }
      }
    }
    return rows
  }

  @inlinable
  @inline(__always)
  static func entry(of row: Reference, _ read: (State) -> Value) -> List.Entry? {
    guard row.hasState else { return nil }
    return List.Entry(value: row.presentState.read(read), number: row.number, row: .passUnretained(row))
  }
}

/// A row in a ranking.
public struct RankedRow<Key: Hashable & Sendable, State: AggregateState, Value: Comparable & Sendable>: Sendable {
  /// The key of the row.
  public let key: Key

  /// The state of the row.
  public let state: State

  /// The value by which the row is ranked.
  public let value: Value

  /// Makes one, for a test or a preview.
  @inlinable
  public init(key: Key, state: State, value: Value) {
    self.key = key
    self.state = state
    self.value = value
  }
}

extension RankedRow: Equatable where State: Equatable {}

extension RankedRow: Hashable where State: Hashable, Value: Hashable {}
