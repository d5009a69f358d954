import Aggregate
import RASPHistory
import RASPKeyed
import RASPSupport

/// What each event changes in a state. What an event can change is flattened once for it: the state, or of a state of
/// rows the row of the event.
struct StateDifferences {
  private let initial: Any
  /// The fields of the state, if it is no state of rows.
  private var whole: FieldList?
  /// The fields of the rows that events have concerned.
  private var rows: [AnyHashable: FieldList] = [:]

  init(from initial: Any) {
    self.initial = initial
    if !(initial is any AnyRecordedRows) { whole = FieldList(of: initial) }
  }

  /// The fields of the state before all events.
  var fields: [Timeline.Field] {
    guard let rows = initial as? any AnyRecordedRows else { return FieldList(of: initial).fields }
    return FieldList(of: rows.allRows).fields
  }

  /// What has changed up to the state after an event.
  mutating func changes(to state: Any, by event: Any) -> [Timeline.Change] {
    if let before = whole {
      let after = FieldList(of: state)
      whole = after
      return before.changes(to: after)
    }
    guard let step = event as? any AnyRowStep, let first = initial as? any AnyRecordedRows,
      let rows = state as? any AnyRecordedRows
    else { return [] }
    let key = step.anyKey
    let path = "[\(describe(key.base))]"
    // Before its first event a row is as it was in the beginning.
    let before = self.rows[key] ?? first.anyRow(of: key).map { FieldList(of: $0, at: path) } ?? FieldList()
    let after = rows.anyRow(of: key).map { FieldList(of: $0, at: path) } ?? FieldList()
    self.rows[key] = after
    return before.changes(to: after)
  }
}
