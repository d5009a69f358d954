import Aggregate
import RASPPrimitives
import RASPSupport
import Streams

/// The newest steps of the rows, and the states before them of the rows that they concern.
///
/// ```
///   bases  "a" ──▶ 2 steps    steps  [ 41 "a"   43 "b"   44 "a" ]  ◀── 47 "c"
///          "b" ──▶ 1 step               │
///                     ▲                 │  the oldest step is folded into the base of its row; a row without
///                     └─────────────────┘  steps on the tape has no base
/// ```
///
/// Safe to share: as the ``Tape``.
///
/// Invariants:
/// - Folding the steps into the bases gives the present states of these rows.
/// - A base has the number of the steps of its row that are on the tape, and that number is not zero.
@usableFromInline
final class KeyedTape<Key: Hashable & Sendable, State: AggregateState>: @unchecked Sendable {
  @usableFromInline typealias Change = RowStep<Key, State>.Change

  @usableFromInline
  struct Base: Sendable {
    @usableFromInline var state: State?
    /// The number of the steps of its row that are on the tape.
    @usableFromInline var count = 0

    @inlinable
    init(_ state: State?) {
      self.state = state
    }

    /// Folds what has fallen off.
    ///
    /// - Returns: what is to be released when other threads may read again.
    @inlinable
    mutating func fold(_ change: Change) -> State? {
      switch change {
      case .event(let event):
        _ = state?.fold(event)
        return nil
      case .first(let event, var row):
        let isRefused = row.fold(event) != nil
        return replace(by: isRefused ? nil : row)
      case .inserted(let row): return replace(by: row)
      case .removed: return replace(by: nil)
      }
    }

    @inlinable
    mutating func replace(by row: State?) -> State? {
      var row = row
      swap(&row, &state)
      return row
    }
  }

  /// What there is no room for any more. It is to be released when other threads may read again.
  @usableFromInline typealias Garbage = (step: TapeItem<RowStep<Key, State>>?, state: State?)

  @usableFromInline let steps: Tape<RowStep<Key, State>>
  /// Empty if only events are kept.
  @usableFromInline @exclusivity(unchecked) var bases: [Key: Base] = [:]
  @usableFromInline @exclusivity(unchecked) private(set) var keepsBases = false

  init(_ steps: Tape<RowStep<Key, State>>) {
    self.steps = steps
  }

  /// Begins, or goes on with room for more steps. What was recorded without bases is given up if they are wanted.
  ///
  /// - Returns: what was given up, to be released when other threads may read again.
  func reserve(_ count: Int, keepingBases: Bool) -> RingBuffer<TapeItem<RowStep<Key, State>>> {
    let isNew = steps.start == nil || keepingBases && !keepsBases
    if isNew { keepsBases = keepingBases }
    return steps.reserve(max(count, 1), asNew: isNew)
  }

  /// Gives the next step its number, see ``Tape/stamping(_:_:)``. Without a tape, `body` gets no stamp.
  @inlinable
  @inline(__always)
  static func stamping<Failure: Error>(
    for tape: KeyedTape?,
    _ access: QueueAccess,
    _ body: (TapeStamp?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let tape else { return try body(nil) }
    try tape.steps.stamping(access) { stamp throws(Failure) in try body(stamp) }
  }

  /// Appends a step. The table is being changed.
  ///
  /// - Parameter state: the state of the row before it.
  @inlinable
  func append(_ change: Change, of key: Key, _ stamp: TapeStamp, before state: @autoclosure () -> State?) -> Garbage {
    if keepsBases { bases[key, default: Base(state())].count += 1 }
    let oldest = steps.append(RowStep(key: key, change), stamp)
    return (oldest, oldest.flatMap { drop($0.event) })
  }

  /// Folds a step into the base of its row. The last one takes the base along.
  @inlinable
  func drop(_ step: RowStep<Key, State>) -> State? {
    guard let place = bases.index(forKey: step.key) else { return nil }
    bases.values[place].count -= 1
    if bases.values[place].count > 0 { return bases.values[place].fold(step.change) }
    return bases.remove(at: place).value.state
  }
}

extension KeyedTape {
  /// What has been recorded, with the rows that the steps concern; `nil` if this thread is inside `apply`.
  ///
  /// - Parameters:
  ///   - row: the key of a row that is wanted, also if no step concerns it.
  ///   - read: calls a closure that copies from the rows, unless this thread is inside `apply`.
  func recording(
    as name: String,
    with row: Key?,
    reading read: (_ copy: (RowStore<Key, State>) -> Recording<RecordedRows<Key, State>>) -> Recording<
      RecordedRows<Key, State>
    >?
  ) -> Recording<RecordedRows<Key, State>>? {
    let (steps, instant) = (steps, steps.clock.now)
    return read { store in
      var keys = Set(keepsBases ? Array(bases.keys) : steps.items.elements.map(\.event.key))
      if let row { keys.insert(row) }
      var rows: [Key: State] = [:]
      for key in keys { rows[key] = store.state(of: key) }
      var initial = keepsBases ? bases.compactMapValues(\.state) : nil
      // A row that no step concerns has not changed.
      if let row, bases[row] == nil { initial?[row] = rows[row] }
      return Recording(
        name: name,
        lane: steps.lane,
        initial: initial.map { RecordedRows(rows: $0) },
        entries: steps.items.elements.map { $0.entry(of: RecordedRows<Key, State>.self) },
        state: RecordedRows(rows: rows),
        start: steps.isCut ? nil : .nanoseconds(steps.start ?? instant),
        end: .nanoseconds(instant)
      )
    }
  }
}
