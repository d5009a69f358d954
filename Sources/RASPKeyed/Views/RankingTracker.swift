import Aggregate
import Streams

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
  /// The entry of the row that is being changed, as it is in the ranking.
  @usableFromInline var old: List.Entry?

  @inlinable
  init(
    first length: Int,
    descending isDescending: Bool,
    by read: @escaping @Sendable (State) -> Value,
    _ store: RowStore<Key, State>
  ) {
    self.read = read
    let entries = store.rows.values.filter(\.hasState).map { Self.entry(of: $0, read) }
    ranking = List(entries, descending: isDescending, window: length)
  }

  @inlinable
  mutating func willChange(_ row: Reference) {
    old = row.hasState ? Self.entry(of: row, read) : nil
  }

  @inlinable
  mutating func didChange(_ row: Reference) -> Element? {
    let old = old.take()
    let new = row.hasState ? Self.entry(of: row, read) : nil
    let isSeen =
      switch (old, new) {
      case (let old?, let new?): ranking.move(old, to: new.value)
      case (let old?, nil): ranking.remove(old)
      case (nil, let new?): ranking.insert(new)
      case (nil, nil): false
      }
    return isSeen ? window : nil
  }

  @inlinable
  mutating func forget() {
    old = nil
  }

  @inlinable
  func sendFirst(_ store: RowStore<Key, State>, _ send: (Element) -> Void) {
    send(window)
  }

  @inlinable var answer: Element? { window }

  @inlinable var window: Element {
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
  static func entry(of row: Reference, _ read: (State) -> Value) -> List.Entry {
    List.Entry(
      value: row.presentState.read(read),
      number: row.number,
      row: .passUnretained(row)
    )
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
