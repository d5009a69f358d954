import Aggregate
import RASPKeyed

extension Recording {
  /// Returns the recording of one row: its newest life, since it was made or put in, up to its removal if it was
  /// removed.
  ///
  ///     let acme = recorder.recording.row(of: "ACME")
  ///     print(acme?.state.price)
  ///
  /// The events keep their numbers and causes, so there are gaps between the numbers. If the life of the row began
  /// before the recording, `initial` is its state then.
  ///
  /// - Returns: `nil` if the recording has nothing of such a row, or not its state.
  /// - Complexity: one `apply` for each event of the row.
  public func row<Key, Row>(of key: Key) -> Recording<Row>? where State == RecordedRows<Key, Row> {
    var (first, last) = (initial?[key], initial?[key])
    var kept: [Recording<Row>.Entry] = []
    var isThere = first != nil || initial == nil
    var life = start
    for entry in entries where entry.event.key == key {
      switch entry.event.change {
      case .event: break
      case .first(let event, let row):
        var made = row
        // A row that refuses its first event is not made.
        if made.fold(event) != nil { continue }
        (first, last, kept, isThere, life) = (row, row, [], true, entry.time)
      case .inserted(let row):
        (first, last, kept, isThere, life) = (row, row, [], true, entry.time)
      case .removed: isThere = false
      }
      guard let event = entry.event.event else { continue }
      _ = last?.fold(event)
      kept.append(.init(number: entry.number, event: event, cause: entry.cause, time: entry.time))
    }
    guard let state = isThere ? state[key] ?? last : last else { return nil }
    return Recording<Row>(
      name: "\(name)[\(String(reflecting: key))]",
      lane: lane,
      initial: first,
      entries: kept,
      state: state,
      start: life,
      end: end,
      clockOrigin: clockOrigin
    )
  }
}

extension StateSelector where State: AggregateState {
  /// The same read of one row in a recording of many.
  package func inRow<Key>(of key: Key) -> StateSelector<RecordedRows<Key, State>, Field?> {
    let row = StateSelector<RecordedRows<Key, State>, State?>(
      id: .row(SelectorID.RowKey(key)),
      isComparable: false,
      comparing: { _, _ in false }
    ) {
      FieldReader(comparing: { _, _ in false }) { $0.pointee[key] }
    }
    return row.appending(ofRow)
  }
}
