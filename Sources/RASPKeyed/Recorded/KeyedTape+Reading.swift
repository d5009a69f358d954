import Aggregate
import RASPSupport
import Streams

/// What stands on the tape, copied while the rows were read. Dictionaries are made of it later, so that the next event
/// waits for the copies alone.
struct KeyedTapeCopy<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  typealias Row = (key: Key, state: State?)

  var items: [TapeItem<KeyedTape<Key, State>.Step>] = []
  /// The states before the steps, of the rows that they concern; `nil` if only events were kept.
  var bases: [Row]? = []
  /// The present states of these rows, some of them several times.
  var states: [Row] = []
  /// The present state of the row that is wanted beside them.
  var wanted: Row?
  var isCut = false
  var start: Int64 = 0
}

extension KeyedTape {
  /// Copies what is on the tape, on any thread. Of a key it does what each reading of a row does: it finds the row.
  ///
  /// - Parameter row: the key of a row that is wanted, also if no step concerns it.
  func copy(beside store: RowStore<Key, State>, with row: Key?) -> KeyedTapeCopy<Key, State> {
    var copy = KeyedTapeCopy<Key, State>()
    copy.isCut = steps.isCut
    copy.start = steps.start ?? 0
    copy.items = steps.ring.elements
    if keepsBases {
      let used = bases.filter { $0.count > 0 }
      copy.bases = used.map { ($0.key, $0.state) }
      for base in used { copy.states.append((base.key, store.state(of: base.key))) }
    } else {
      copy.bases = nil
      for item in copy.items { copy.states.append((item.event.key, store.state(of: item.event.key))) }
    }
    copy.wanted = row.map { ($0, store.state(of: $0)) }
    return copy
  }
}

extension KeyedTapeCopy {
  func recording(as name: String, lane: Int, at instant: Int64) -> Recording<RecordedRows<Key, State>> {
    var rows: [Key: State] = [:]
    for row in states { rows[row.key] = row.state }
    var initial: [Key: State]? = bases == nil ? nil : [:]
    for base in bases ?? [] where base.state != nil { initial?[base.key] = base.state }
    // A row that no step concerns has not changed.
    if let wanted, let state = wanted.state {
      rows[wanted.key] = state
      let isConcerned = items.contains { $0.event.key == wanted.key }
      if !isConcerned { initial?[wanted.key] = state }
    }
    return Recording(
      name: name,
      lane: lane,
      initial: initial.map { RecordedRows(rows: $0) },
      entries: items.map { item in
        Recording.Entry(
          number: Int(clamping: item.number),
          event: RowStep(key: item.event.key, item.event.change),
          cause: item.cause,
          time: .nanoseconds(item.time)
        )
      },
      state: RecordedRows(rows: rows),
      start: isCut ? nil : .nanoseconds(start),
      end: .nanoseconds(instant)
    )
  }
}
