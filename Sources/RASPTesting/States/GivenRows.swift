public import Aggregate

/// Tests the rows of a keyed aggregator as a pure fold: without an aggregator, a stream or a clock.
///
///     given(rows: ["ACME": Quote()], by: \Tick.symbol, initial: { _ in Quote() })
///       .when(Tick(symbol: "ACME", price: 1), Tick(symbol: "ACME", price: 2))
///       .then { $0["ACME"]?.price = 2 }
///
/// An event is folded into the row of its key, which is made on demand, and not made if it refuses its first event. A
/// difference is told row by row and field by field.
///
/// - Parameters:
///   - rows: the rows before.
///   - key: tells the row to which an event belongs.
///   - initial: returns the state of a row before its first event.
/// - Returns: the rows, ready to be given events.
public func given<Key: Hashable & Sendable, Row: AggregateState>(
  rows: [Key: Row] = [:],
  by key: @escaping @Sendable (Row.Event) -> Key,
  initial: @escaping @Sendable (Key) -> Row
) -> StateUnderTest<RowsUnderTest<Key, Row>> {
  given(RowsUnderTest(rows: rows, keyOf: key, makeRow: initial))
}

/// Rows that events are applied to: see ``given(rows:by:initial:)``.
public struct RowsUnderTest<Key: Hashable & Sendable, Row: AggregateState>: AggregateState {
  /// The rows that are there.
  public var rows: [Key: Row]

  private let keyOf: @Sendable (Row.Event) -> Key
  private let makeRow: @Sendable (Key) -> Row

  init(
    rows: [Key: Row],
    keyOf: @escaping @Sendable (Row.Event) -> Key,
    makeRow: @escaping @Sendable (Key) -> Row
  ) {
    self.rows = rows
    self.keyOf = keyOf
    self.makeRow = makeRow
  }

  /// The row of a key; `nil` if there is none.
  public subscript(key: Key) -> Row? {
    get { rows[key] }
    set { rows[key] = newValue }
  }

  /// Folds an event into the row of its key.
  public mutating func apply(_ event: Row.Event) throws(Row.Rejection) {
    let key = keyOf(event)
    var row = rows[key] ?? makeRow(key)
    try row.apply(event)
    rows[key] = row
  }
}

extension RowsUnderTest: Equatable where Row: Equatable {
  /// Compares the rows.
  public static func == (left: RowsUnderTest, right: RowsUnderTest) -> Bool {
    left.rows == right.rows
  }
}

extension RowsUnderTest: CustomReflectable {
  /// Shows the rows alone, by their keys.
  public var customMirror: Mirror { Mirror(reflecting: rows) }
}
