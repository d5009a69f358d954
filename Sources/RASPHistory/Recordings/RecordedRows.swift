public import Aggregate
import RASPKeyed

/// Rows of a `KeyedAggregator` as one state: the state of a ``Recording`` of it.
///
/// ```
///   initial ──▶ "ACME" .price(12.5) ──▶ "XYZ" removed ──▶ … ──▶ state
/// ```
///
/// A recording has the rows that its events concern, and no others.
public struct RecordedRows<Key: Hashable & Sendable, Row: AggregateState>: AggregateState, AtomicallyFolding {
  /// The states of the rows that are there.
  public private(set) var rows: [Key: Row]

  /// Makes a state of rows.
  public init(rows: [Key: Row] = [:]) {
    self.rows = rows
  }

  /// The state of a row; `nil` if it is not there.
  public subscript(key: Key) -> Row? { rows[key] }

  /// Folds what has happened to a row.
  ///
  /// - Errors: throws what the row throws. Nothing has changed then.
  /// - Complexity: as for `apply` of the row; a row that can refuse events is copied.
  public mutating func apply(_ step: RowStep<Key, Row>) throws(Row.Rejection) {
    switch step.change {
    case .event(let event):
      if let refusal = rows[step.key]?.fold(event) { throw refusal }
    case .first(let event, var row):
      if let refusal = row.fold(event) { throw refusal }
      rows[step.key] = row
    case .inserted(let row): rows[step.key] = row
    case .removed: rows[step.key] = nil
    }
  }
}

extension RecordedRows: Equatable where Row: Equatable {}

extension RecordedRows: Codable where Key: Codable, Row: Codable {}

/// Rows without their types, for drawings.
package protocol AnyRecordedRows {
  /// The rows by their keys.
  var allRows: Any { get }

  /// The state of a row; `nil` if it is not there.
  func anyRow(of key: AnyHashable) -> Any?
}

extension RecordedRows: AnyRecordedRows {
  package var allRows: Any { rows }

  package func anyRow(of key: AnyHashable) -> Any? { (key.base as? Key).flatMap { rows[$0] } }
}
