public import Aggregate
public import RASPHistory
public import RASPKeyed

extension RecordingCoding {
  /// Makes the coding of a ``KeyedJournal``, or of a recording of rows, of codings of keys, events and rows. A step of
  /// a row is written with them, and so are the rows of a snapshot.
  ///
  /// ```
  /// let coding = RecordingCoding(keys: symbols, events: ticks, rows: quotes)
  /// let journal = try KeyedJournal(at: folder, startingWith: RecordedRows(), coding: coding)
  /// ```
  ///
  /// Each of the three has its own version and may read older ones, so an older event becomes several steps or none,
  /// and a step whose key or row becomes none is no step.
  ///
  /// The files of a journal that had no coding of its own, and were written in JSON, are not read. Where there are such
  /// files, add it: `RecordingCoding(states: coding.states.reading(version: 1, with: .codable) { [$0] }, events:
  /// coding.events.reading(version: 1, with: .codable) { [$0] })`.
  ///
  /// - Complexity: O(1).
  @inlinable
  public init<Key: Hashable & Sendable, Row: AggregateState>(
    keys: Coding<Key>,
    events: Coding<Row.Event>,
    rows: Coding<Row>
  ) where State == RecordedRows<Key, Row> {
    self.init(states: .rows(keys, rows), events: .steps(keys, events, rows))
  }
}

extension Coding {
  /// Version 1 is what a journal without a coding of its own writes.
  @inlinable static var versionOfParts: Int { 2 }

  /// Rows: their number, then each key and its row.
  @inlinable
  static func rows<Key, Row>(_ keys: Coding<Key>, _ rows: Coding<Row>) -> Coding where Value == RecordedRows<Key, Row> {
    Coding(version: versionOfParts) { state, bytes in
      bytes.appendVarint(UInt64(state.rows.count))
      for (key, row) in state.rows {
        try bytes.append(key, with: keys)
        try bytes.append(row, with: rows)
      }
    } decode: { bytes in
      var state: [Key: Row] = [:]
      for _ in 0..<(try bytes.readVarint()) {
        let (keys, rows) = (try bytes.readValues(with: keys), try bytes.readValues(with: rows))
        if let key = keys.first, let row = rows.first { state[key] = row }
      }
      return RecordedRows(rows: state)
    }
  }

  /// Steps of rows: the key, what has happened, and what belongs to it.
  @inlinable
  static func steps<Key, Row>(_ keys: Coding<Key>, _ events: Coding<Row.Event>, _ rows: Coding<Row>) -> Coding
  where Value == RowStep<Key, Row> {
    let kind = TypeVersion(of: Value.self, named: nil, version: versionOfParts)
    let decode: Decoder = .several { bytes in
      let key = try bytes.readValues(with: keys).first
      guard let kind = StepKind(rawValue: try bytes.readByte()) else { throw ByteError.unknownCase }
      var changes: [RowStep<Key, Row>.Change] = []
      switch kind {
      case .event: changes = try bytes.readValues(with: events).map { .event($0) }
      case .first:
        let (events, rows) = (try bytes.readValues(with: events), try bytes.readValues(with: rows))
        if let row = rows.first {
          // A row whose first event is none any more is there all the same.
          changes = [events.first.map { .first($0, of: row) } ?? .inserted(row)]
          changes += events.dropFirst().map { .event($0) }
        }
      case .inserted: changes = try bytes.readValues(with: rows).prefix(1).map { .inserted($0) }
      case .removed:
        guard let removal = RowRemoval(rawValue: try bytes.readString()) else { throw ByteError.unknownCase }
        changes = [.removed(removal)]
      }
      guard let key else { return [] }
      return changes.map { RowStep(key: key, $0) }
    }
    return Coding(kinds: [kind], decoders: [kind: decode]) { step, bytes in
      try bytes.append(step.key, with: keys)
      switch step.change {
      case .event(let event):
        bytes.append(StepKind.event.rawValue)
        try bytes.append(event, with: events)
      case .first(let event, let row):
        bytes.append(StepKind.first.rawValue)
        try bytes.append(event, with: events)
        try bytes.append(row, with: rows)
      case .inserted(let row):
        bytes.append(StepKind.inserted.rawValue)
        try bytes.append(row, with: rows)
      case .removed(let removal):
        bytes.append(StepKind.removed.rawValue)
        bytes.append(removal.rawValue)
      }
      return 0
    }
  }
}

/// What has happened to a row, in a file.
@usableFromInline
enum StepKind: UInt8 {
  case event, first, inserted, removed
}
