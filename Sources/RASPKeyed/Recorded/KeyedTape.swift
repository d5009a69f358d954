import Aggregate
import RASPSupport
import Streams
import Synchronization

/// The newest steps of the rows of one shard, and the states before them of the rows that they concern.
///
/// ```
///   bases  "a" ──▶ 2 steps    steps  [ 41 "a"   43 "b"   44 "a" ]  ◀── 47 "c"
///          "b" ──▶ 1 step               │
///                     ▲                 │  the oldest step is folded into the base of its row; a row without
///                     └─────────────────┘  steps on the tape has no base
/// ```
///
/// Invariants:
/// - Folding the steps into the bases gives the present states of these rows.
/// - A base has the number of the steps of its row that are on the tape, and that number is not zero.
@usableFromInline
struct KeyedTape<Key: Hashable & Sendable, State: AggregateState>: TapeContents {
  @usableFromInline typealias Change = RowStep<Key, State>.Change

  /// The identity of a step and its cause.
  @usableFromInline
  struct Stamp: Sendable {
    @usableFromInline let number: Int64
    @usableFromInline let cause: Cause
    /// Whether it goes to the channel, too.
    @usableFromInline let isTaken: Bool

    @inlinable
    init(number: Int64, cause: Cause, isTaken: Bool) {
      self.number = number
      self.cause = cause
      self.isTaken = isTaken
    }
  }

  /// A step as it stands on the tape.
  @usableFromInline
  struct Step: Sendable {
    @usableFromInline let key: Key
    @usableFromInline let change: Change
    /// The place of the base of its row; -1 if only events are kept.
    @usableFromInline let base: Int

    @inlinable
    init(key: Key, change: Change, base: Int) {
      self.key = key
      self.change = change
      self.base = base
    }
  }

  @usableFromInline
  struct Base: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var state: State?
    /// The number of the steps of its row that are on the tape. It is zero in a place that is free.
    @usableFromInline var count = 1

    @inlinable
    init(of key: Key, _ state: State?) {
      self.key = key
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
  @usableFromInline
  struct Garbage {
    @usableFromInline var step: TapeItem<Step>?
    @usableFromInline var state: State?

    @inlinable
    init() {}
  }

  @usableFromInline var steps: Tape<Step>
  @usableFromInline let clock: TapeClock
  /// It has the number of the newest step.
  @usableFromInline let cell: Unmanaged<TapeCell>
  /// Where the steps go besides, kept alive by the cell.
  @usableFromInline let channel: Unmanaged<TapeChannel<RowStep<Key, State>>>?
  /// It lives as long as the process, so it is not counted.
  @usableFromInline let words = Unmanaged.passUnretained(CauseWords.shared)
  /// Empty if only events are kept. A place that is free keeps its key until it is taken again.
  @usableFromInline var bases: [Base] = []
  @usableFromInline var freePlaces: [Int] = []
  /// Finds the places of bases.
  @usableFromInline var places: [Key: Int] = [:]
  @usableFromInline private(set) var keepsBases = false

  init(in cell: TapeCell, _ channel: TapeChannel<RowStep<Key, State>>?) {
    steps = Tape(lane: cell.lane)
    clock = cell.clock
    self.cell = .passUnretained(cell)
    self.channel = channel.map { .passUnretained($0) }
  }

  func deallocate() {
    steps.ring.deallocate()
  }

  /// Begins, or goes on with room for more steps. What was recorded without bases is given up if they are wanted.
  ///
  /// - Returns: the ring that was replaced, to be deallocated when other threads may read again.
  mutating func reserve(_ count: Int, keepingBases: Bool) -> TapeRing<Step>? {
    let isNew = steps.start == nil || keepingBases && !keepsBases
    if isNew { keepsBases = keepingBases }
    return steps.reserve(max(count, 1), asNew: isNew, at: clock.now)
  }

  /// Gives the next step its number, which is the cause of what `body` sends. The step has room in the channel then:
  /// `body` appends one step.
  ///
  /// - Parameter tape: the tape; without one, `body` gets no stamp.
  @inlinable
  @inline(__always)
  static func stamping<Failure: Error>(
    for tape: UnsafePointer<KeyedTape>?,
    _ access: QueueAccess,
    _ body: (Stamp?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let tape else { return try body(nil) }
    let isTaken = tape.pointee.channel?._withUnsafeGuaranteedRef { $0.makeRoom(access) } ?? false
    let slot = tape.pointee.words._withUnsafeGuaranteedRef { $0.slot }
    let ofTask = tape.pointee.words._withUnsafeGuaranteedRef { $0.causeOfTask }
    let cause = (ofTask == .none ? slot.pointee : ofTask).cause
    // A step that another shard has caused has a higher number than its cause; see `KeyedCore.recording(of:)`.
    let number = tape.pointee.cell._withUnsafeGuaranteedRef {
      $0.newest.add(1, ordering: .acquiringAndReleasing).newValue
    }
    try tape.pointee.steps.identity(of: number).deliver(in: slot, ofTask: ofTask) {
      () throws(Failure) in try body(Stamp(number: number, cause: cause, isTaken: isTaken))
    }
  }

  /// Appends a step. The rows are being changed.
  ///
  /// - Parameter state: the state of the row before it.
  @inlinable
  mutating func append(
    _ change: Change,
    of key: Key,
    _ stamp: Stamp,
    before state: @autoclosure () -> State?
  ) -> Garbage {
    let base = keepsBases ? noteBase(of: key, state()) : -1
    let time = clock.timeOfStep
    var garbage = Garbage()
    if keepsBases, let oldest = steps.ring.oldest { garbage.state = dropOldest(oldest) }
    if stamp.isTaken { put(RowStep(key: key, change), stamp, time) }
    // Made where it is moved onto the tape: a step that is kept meanwhile would be copied.
    garbage.step = steps.append(
      TapeItem(Step(key: key, change: change, base: base), number: stamp.number, cause: stamp.cause, time: time)
    )
    return garbage
  }

  /// Puts a step into the channel.
  @inlinable
  func put(_ step: RowStep<Key, State>, _ stamp: Stamp, _ time: Int64) {
    channel?._withUnsafeGuaranteedRef { channel in
      channel.append(TapeItem(step, number: stamp.number, cause: stamp.cause, time: time))
      channel.wakeIfParked()
    }
  }

  /// Counts one more step of a row.
  ///
  /// - Parameter state: its state, if it has no base yet.
  /// - Returns: the place of its base.
  @inlinable
  mutating func noteBase(of key: Key, _ state: @autoclosure () -> State?) -> Int {
    if let place = places[key] {
      bases[place].count += 1
      return place
    }
    let base = Base(of: key, state())
    let place = freePlaces.popLast() ?? bases.count
    if place < bases.count { bases[place] = base } else { bases.append(base) }
    places[key] = place
    return place
  }

  /// Folds the oldest step into the base of its row. The last one takes the base along.
  @inlinable
  mutating func dropOldest(_ oldest: UnsafeMutablePointer<TapeItem<Step>>) -> State? {
    let place = oldest.pointee.event.base
    bases[place].count -= 1
    if bases[place].count > 0 { return bases[place].fold(oldest.pointee.event.change) }
    places[bases[place].key] = nil
    freePlaces.append(place)
    return bases[place].state.take()
  }
}

extension TapeClock {
  /// It stands apart from the tape, because a call of generic code that is not inlined is slow.
  @usableFromInline var timeOfStep: Int64 { now }
}
