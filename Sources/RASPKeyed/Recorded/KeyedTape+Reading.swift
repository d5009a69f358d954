import Aggregate
import RASPSupport
import Streams

/// What stands on the tape of one shard, copied while the table was read. Dictionaries are made of it later, because to
/// hash a key is code of the user.
struct KeyedTapeCopy<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  typealias Row = (key: HashedKey<Key>, state: State?)

  var items: [TapeItem<KeyedTape<Key, State>.Step>] = []
  /// The states before the steps, of the rows that they concern; `nil` if only events were kept.
  var bases: [Row]?
  /// The present states of these rows, some of them several times.
  var states: [Row] = []
  /// The present state of the row that is wanted beside them.
  var wanted: Row?
  var isCut = false
  var start: Int64 = 0
  /// The number of steps that fit on the tape.
  var limit = 0
}

/// What the tape of one shard has, at one moment.
struct KeyedTapePart<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  typealias Entry = Recording<RecordedRows<Key, State>>.Entry

  var entries: [Entry] = []
  /// The states before the entries, of the rows that they concern; `nil` if only events were kept.
  var initial: [Key: State]? = [:]
  /// The present states of these rows.
  var states: [Key: State] = [:]
  /// Is `true` if steps have fallen off.
  var isCut = false
  /// The number from which on nothing has fallen off.
  var oldestNumber = 0
  /// The instant at which recording has begun.
  var start: Int64 = 0
}

extension KeyedTape {
  /// Copies what is on the tape, on any thread. Of a key it does what each reading of a row does: it compares it with
  /// those that have its hash.
  ///
  /// - Parameter row: the key of a row that is wanted, also if no step concerns it.
  func copy(beside table: borrowing RowTable<Key, State>, with row: HashedKey<Key>?) -> KeyedTapeCopy<Key, State> {
    var copy = KeyedTapeCopy<Key, State>()
    copy.isCut = steps.isCut
    copy.start = steps.start ?? 0
    copy.limit = steps.ring.capacity
    copy.items = steps.ring.elements
    if keepsBases {
      let used = bases.filter { $0.count > 0 }
      copy.bases = used.map { ($0.key, $0.state) }
      for base in used { copy.states.append((base.key, table.state(of: base.key))) }
    } else {
      for item in copy.items { copy.states.append((item.event.key, table.state(of: item.event.key))) }
    }
    copy.wanted = row.map { ($0, table.state(of: $0)) }
    return copy
  }
}

extension KeyedTapePart {
  init(_ copy: KeyedTapeCopy<Key, State>) {
    isCut = copy.isCut
    start = copy.start
    entries = copy.items.map { item in
      let step = RowStep<Key, State>(key: item.event.key.key, item.event.change)
      return Entry(
        number: Int(clamping: item.number),
        event: step,
        cause: item.cause,
        time: .nanoseconds(item.time)
      )
    }
    for row in copy.states { states[row.key.key] = row.state }
    // A row that no step concerns has not changed.
    if let wanted = copy.wanted, let state = wanted.state {
      states[wanted.key.key] = state
      let isConcerned = copy.items.contains {
        $0.event.key.hash == wanted.key.hash && $0.event.key.key == wanted.key.key
      }
      if !isConcerned { initial?[wanted.key.key] = state }
    }
    if let bases = copy.bases {
      for base in bases where base.state != nil { initial?[base.key.key] = base.state }
    } else {
      initial = nil
    }
  }

  /// Adds what another shard has.
  mutating func add(_ part: KeyedTapePart) {
    // A shard that has lost steps tells nothing about the time before the oldest one that it has.
    if part.isCut, let oldest = part.entries.first { oldestNumber = max(oldestNumber, oldest.number) }
    isCut = isCut || part.isCut
    start = max(start, part.start)
    entries += part.entries
    states.merge(part.states) { $1 }
    guard let rows = part.initial else { return initial = nil }
    initial?.merge(rows) { $1 }
  }

  /// The recording of all shards.
  ///
  /// - Parameters:
  ///   - newest: the number of the newest step that counts.
  ///   - count: the number of steps that are wanted.
  ///   - row: the key of a row that is wanted, also if no step concerns it.
  func recording(
    as name: String,
    lane: Int,
    upTo newest: Int,
    last count: Int,
    with row: Key?,
    at instant: Int64
  ) -> Recording<RecordedRows<Key, State>> {
    let sorted = entries.sorted { $0.number < $1.number }
    let past = sorted.prefix { $0.number <= newest }
    let kept = past.drop { $0.number < oldestNumber }.suffix(count)
    var first = initial.map { RecordedRows(rows: $0) }
    for entry in past.dropLast(kept.count) { _ = first?.fold(entry.event) }
    var last = RecordedRows(rows: states)
    if past.count < sorted.count, var folded = first {
      for entry in kept { _ = folded.fold(entry.event) }
      last = folded
    }
    if kept.count < sorted.count {
      var keys = Set(kept.map(\.event.key))
      if let row { keys.insert(row) }
      first = first?.keeping(keys)
      last = last.keeping(keys)
    }
    return Recording(
      name: name,
      lane: lane,
      initial: first,
      entries: Array(kept),
      state: last,
      start: isCut || kept.count < past.count ? nil : .nanoseconds(start),
      end: .nanoseconds(instant)
    )
  }
}

extension RecordedRows {
  fileprivate func keeping(_ keys: Set<Key>) -> RecordedRows {
    RecordedRows(rows: rows.filter { keys.contains($0.key) })
  }
}
