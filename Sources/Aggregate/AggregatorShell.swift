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
struct AggregatorShell<State: AggregateState>: ~Copyable, FoldingShell {
  @usableFromInline typealias Value = Incoming<State.Event>
  @usableFromInline typealias Hook = RecordingHook<State.Event, State.Event?>

  /// Keeps the state alive.
  @usableFromInline let cell: StateCell<State>
  @usableFromInline let state: StateReference<State>
  @usableFromInline let reports: Reports<State>
  @usableFromInline let sources: SourceList
  @usableFromInline var tree: SelectionTree
  /// Is `true` while each event has subscribers or is recorded.
  @usableFromInline var isWatched = false
  /// The subscribers to each event, for states, events and transitions; `nil` while there are none.
  @usableFromInline var steps: StreamGroup<Step<State>>?
  /// Is there while events are recorded.
  @usableFromInline var hook: Hook?

  @inlinable
  init(_ cell: StateCell<State>, _ reports: Reports<State>, _ sources: SourceList) {
    self.init(cell, reports, sources, tree: SelectionTree(root: UnsafeRawPointer(cell.reference.pointer)))
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
      if hook != nil { return try foldRecorded(event, from: source, isSubmitted, access) }
      return try foldWatched(event, from: source, isSubmitted: isSubmitted, access)
    }
    do throws(State.Rejection) {
      try state.fold(event, access)
    } catch {
      refuse(event, error, isSubmitted: isSubmitted)
      throw error
    }
    tree.branch.update(from: tree.root, &tree.round, access)
    tree.round.notify(access)
  }

  /// Does the same where each event has subscribers.
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
    do throws(State.Rejection) {
      try fold()
    } catch {
      withUnsafePointer(to: event) { event in
        noteStep(Step(event: event, state: nil, source: source, cause: cause), access)
        tree.round.notify(access)
      }
      refuse(event, error, isSubmitted: isSubmitted)
      throw error
    }
    let state = state.pointer
    withUnsafePointer(to: event) { event in
      noteStep(Step(event: event, state: state, source: source, cause: cause), access)
      tree.branch.update(from: tree.root, &tree.round, access)
      tree.round.notify(access)
    }
  }

  /// Folds an event and has it recorded, in one step for those who read, and tells the subscribers it concerns; a
  /// refusal is reported and thrown.
  @inlinable
  @inline(never)
  mutating func foldRecorded(
    _ event: State.Event,
    from source: SourceID?,
    _ isSubmitted: Bool,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    // Nothing changes the hook while an event is folded, so it need not be kept alive for that.
    let hook = Unmanaged.passUnretained(hook.unsafelyUnwrapped)
    let state = state
    try Hook.numbering(by: hook, access) { cause throws(State.Rejection) in
      try foldWatched(event, from: source, by: cause, isSubmitted, access) { () throws(State.Rejection) in
        try state.contents.pointee.folding.fold(event, into: state.pointer, access) {
          hook._withUnsafeGuaranteedRef { $0.note(event) }
        }
      }
    }
  }

  /// Notes an event for those who see each one.
  @inlinable
  @inline(__always)
  mutating func noteStep(_ step: Step<State>, _ access: QueueAccess) {
    guard let steps else { return }
    steps.element[access] = step
    tree.round.note(steps)
  }

  @inlinable
  @inline(never)
  func refuse(_ event: State.Event, _ reason: State.Rejection, isSubmitted: Bool) {
    reports.reject(event, reason, isSubmitted: isSubmitted)
  }

  // MARK: Those who watch

  /// With the last subscriber, events go the way again that they went before the first came.
  @usableFromInline
  mutating func noteStreams() {
    if steps?.isEmpty == true { steps = nil }
    isWatched = steps != nil || hook != nil
  }

  @inlinable
  @inline(never)
  mutating func submit(_ incoming: Value, _ access: QueueAccess) throws(State.Rejection) {
    try fold(incoming.event, from: incoming.source, isSubmitted: true, access)
  }
}
