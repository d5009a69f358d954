import Aggregate
import RASPKeyed
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
  @usableFromInline typealias Hook = KeyedCore<Key, State>.Hook

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
    // What goes to the channel alone needs no room.
    return steps.reserve(max(count, !keepsBases && steps.channel != nil ? 0 : 1), asNew: isNew)
  }

  /// Appends a step. The rows are being changed.
  ///
  /// - Returns: what there is no room for any more, to be released when other threads may read again.
  @inlinable
  func append(_ recorded: RecordedStep<Key, State>) -> RowGarbage<Key, State> {
    if keepsBases { bases[recorded.step.key, default: Base(recorded.state)].count += 1 }
    let oldest = steps.append(recorded.step)
    return (oldest, oldest.flatMap(drop))
  }

  /// Has the steps of rows recorded here.
  @inlinable
  var hook: Hook {
    Hook(self, number: { self.steps.number($0, $1) }, note: { self.append($0) })
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
  /// - Parameter row: the key of a row that is wanted, also if no step concerns it.
  func recording(
    as name: String,
    with row: Key?,
    of core: KeyedCore<Key, State>
  ) -> Recording<RecordedRows<Key, State>>? {
    let (steps, instant) = (steps, steps.clock.now)
    return core.readOutsideApply { state in
      var keys = Set(keepsBases ? Array(bases.keys) : steps.items.elements.map(\.event.key))
      if let row { keys.insert(row) }
      var rows: [Key: State] = [:]
      for key in keys { rows[key] = state(key) }
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
