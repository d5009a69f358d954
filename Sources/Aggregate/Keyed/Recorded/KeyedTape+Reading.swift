import Streams

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
  var beginning: Int64 = 0
}

extension KeyedTape {
  /// Copies what is on the tape, on any thread.
  ///
  /// - Parameter row: the key of a row that is wanted, also if no step concerns it.
  func part(beside table: borrowing RowTable<Key, State>, with row: HashedKey<Key>?) -> KeyedTapePart<Key, State> {
    var part = KeyedTapePart<Key, State>()
    part.isCut = isFull
    part.beginning = beginning
    let items = items.elements
    part.entries = items.map { item in
      let step = RowStep<Key, State>(key: item.event.key.key, item.event.change)
      return .init(number: item.event.number, event: step, cause: item.cause, time: .nanoseconds(item.time))
    }
    part.initial = keepsBases ? [:] : nil
    for base in bases where base.count > 0 && base.state != nil { part.initial?[base.key.key] = base.state }
    for item in items where part.states[item.event.key.key] == nil {
      part.states[item.event.key.key] = table.state(of: item.event.key)
    }
    if let row, let state = table.state(of: row) {
      part.states[row.key] = state
      let hasBase = index.pointee.find(row.hash) { bases[$0].key.key == row.key } != nil
      if keepsBases, !hasBase { part.initial?[row.key] = state }
    }
    return part
  }
}

extension KeyedTapePart {
  /// Adds what another shard has.
  mutating func add(_ part: KeyedTapePart) {
    // A shard that has lost steps tells nothing about the time before the oldest one that it has.
    if part.isCut, let oldest = part.entries.first { oldestNumber = max(oldestNumber, oldest.number) }
    isCut = isCut || part.isCut
    beginning = max(beginning, part.beginning)
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
      start: isCut || kept.count < past.count ? nil : .nanoseconds(beginning),
      end: .nanoseconds(instant)
    )
  }
}

extension RecordedRows {
  fileprivate func keeping(_ keys: Set<Key>) -> RecordedRows {
    RecordedRows(rows: rows.filter { keys.contains($0.key) })
  }
}
