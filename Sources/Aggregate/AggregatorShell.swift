import Streams

/// An event on its way to the fold, and the identity of the source it came from, because that source may be removed
/// while the event waits in the line.
@usableFromInline
struct Incoming<Event: Sendable>: Sendable {
  @usableFromInline let event: Event
  @usableFromInline let source: SourceID?

  @inlinable
  init(event: Event, source: SourceID?) {
    self.event = event
    self.source = source
  }
}

/// The state that the queue of an aggregator protects, and the handling of one event: one fold, one round.
///
/// ```
///   event ──▶ fold ──▶ evaluate the selections ──▶ tell the subscribers concerned, in the order of subscription
///             (StateCell)      (SelectionBranch)            (Round)
/// ```
@usableFromInline
struct AggregatorShell<State: AggregateState>: ~Copyable, DeliveryShell {
  @usableFromInline typealias Value = Incoming<State.Event>

  /// Other threads copy the state.
  @inlinable
  static var isShared: Bool { true }

  /// Keeps the state alive.
  @usableFromInline let cell: StateCell<State>
  @usableFromInline let state: StateReference<State>
  @usableFromInline let reports: Reports<State>
  @usableFromInline let sources: SourceList
  @usableFromInline var tree: SelectionTree
  /// Is `true` once there have been streams or a tape.
  @usableFromInline var isWatched = false
  /// Is `true` once `states` or `events` has had a subscriber.
  @usableFromInline var hasStreams = false
  /// Is there while events are recorded.
  @usableFromInline var tape: UnsafeMutablePointer<Tape<State>>?
  /// Keeps the tape alive.
  private var tapeCell: TapeCell<State>?
  private var states: StreamGroup<State>?
  private var events: StreamGroup<State.Event>?
  private var steps: StreamGroup<Step<State>>?

  @inlinable
  init(_ cell: StateCell<State>, _ reports: Reports<State>, _ sources: SourceList) {
    self.init(cell, reports, sources, tree: SelectionTree(root: cell.reference.address))
  }

  @usableFromInline
  init(_ cell: StateCell<State>, _ reports: Reports<State>, _ sources: SourceList, tree: consuming SelectionTree) {
    self.cell = cell
    state = cell.reference
    self.reports = reports
    self.sources = sources
    self.tree = tree
  }

  @inlinable
  @inline(__always)
  mutating func deliver(_ incoming: Value, _ access: QueueAccess) {
    if let source = incoming.source, sources.isRemoved(source) { return }
    receive(incoming.event, from: incoming.source, access)
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ event: State.Event, from source: SourceID?, _ access: QueueAccess) {
    do throws(State.Rejection) { try fold(event, from: source, access) } catch {}
  }

  /// Folds an event and tells the subscribers it concerns; a refusal is reported and thrown.
  ///
  /// - Parameter isSubmitted: whether the sender learns of a refusal.
  @inlinable
  @inline(__always)
  mutating func fold(
    _ event: State.Event,
    from source: SourceID?,
    isSubmitted: Bool = false,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    if isWatched {
      if let tape { return try foldRecorded(event, onto: tape, from: source, isSubmitted, access) }
      return try foldWatched(event, from: source, isSubmitted: isSubmitted, access)
    }
    do throws(State.Rejection) {
      try state.fold(event, access)
    } catch {
      refuse(event, error, isSubmitted: isSubmitted, access)
      throw error
    }
    tree.branch.update(from: tree.root, &tree.round, access)
    tree.round.notify(access)
  }

  /// Does the same where all states or all events have had subscribers.
  @inlinable
  @inline(never)
  mutating func foldWatched(
    _ event: State.Event,
    from source: SourceID?,
    isSubmitted: Bool,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    let state = state
    try foldWatched(event, from: source, by: nil, isSubmitted, access) { () throws(State.Rejection) in
      try state.fold(event, access)
    }
  }

  /// - Parameters:
  ///   - cause: what brought the event about; `nil` if that is what is being delivered.
  ///   - fold: folds the event into the state.
  @inlinable
  @inline(__always)
  mutating func foldWatched(
    _ event: State.Event,
    from source: SourceID?,
    by cause: Cause?,
    _ isSubmitted: Bool,
    _ access: QueueAccess,
    _ fold: () throws(State.Rejection) -> Void
  ) throws(State.Rejection) {
    if hasStreams { noteEvent(event, access) }
    do throws(State.Rejection) {
      try fold()
    } catch {
      refuse(event, error, isSubmitted: isSubmitted, access)
      throw error
    }
    if hasStreams { noteState(after: event, from: source, by: cause, access) }
    tree.branch.update(from: tree.root, &tree.round, access)
    tree.round.notify(access)
    if hasStreams { forgetElements(access) }
  }

  /// The subscribers to all states.
  mutating func stateGroup() -> StreamGroup<State> {
    isWatched = true
    hasStreams = true
    let group = states ?? StreamGroup()
    states = group
    return group
  }

  /// The subscribers to all events.
  mutating func eventGroup() -> StreamGroup<State.Event> {
    isWatched = true
    hasStreams = true
    let group = events ?? StreamGroup()
    events = group
    return group
  }

  /// The subscribers to the steps from one state to the next.
  mutating func stepGroup() -> StreamGroup<Step<State>> {
    isWatched = true
    hasStreams = true
    let group = steps ?? StreamGroup()
    steps = group
    return group
  }

  /// Begins to record. A tape that is still there has lost its last recorder.
  mutating func record(onto cell: TapeCell<State>) {
    tapeCell = cell
    tape = cell.tape
    isWatched = true
  }

  /// Ends recording, unless another tape is used by now.
  ///
  /// - Returns: the tape, to be released.
  mutating func endRecording(onto cell: TapeCell<State>) -> TapeCell<State>? {
    guard tapeCell === cell else { return nil }
    tape = nil
    return tapeCell.take()
  }

  @usableFromInline
  mutating func noteEvent(_ event: State.Event, _ access: QueueAccess) {
    guard let events, !events.isEmpty else { return }
    events.contents[access].element = event
    tree.round.note(events)
  }

  @usableFromInline
  mutating func noteState(after event: State.Event, from source: SourceID?, by cause: Cause?, _ access: QueueAccess) {
    if let states, !states.isEmpty {
      states.contents[access].element = state.contents.pointee.state
      tree.round.note(states)
    }
    if let steps, !steps.isEmpty {
      let cause = cause ?? CarriedCause.current.cause
      let state = state.contents.pointee.state
      steps.contents[access].element = Step(event: event, source: source, cause: cause, state: state)
      tree.round.note(steps)
    }
  }

  /// Drops the elements of the round: a copy of the state would make the next event copy what it changes.
  @usableFromInline
  func forgetElements(_ access: QueueAccess) {
    states?.contents[access].element = nil
    events?.contents[access].element = nil
    steps?.contents[access].element = nil
  }

  @usableFromInline
  mutating func refuse(
    _ event: State.Event,
    _ reason: State.Rejection,
    isSubmitted: Bool,
    _ access: QueueAccess
  ) {
    tree.round.notify(access)
    forgetElements(access)
    reports.reject(event, reason, isSubmitted: isSubmitted)
  }
}
