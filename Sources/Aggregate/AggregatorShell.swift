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
  /// Is `true` once `states` or `events` has had a subscriber.
  @usableFromInline var hasStreams = false
  private var states: StreamGroup<State>?
  private var events: StreamGroup<State.Event>?

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
    receive(incoming.event, access)
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ event: State.Event, _ access: QueueAccess) {
    do throws(State.Rejection) { try fold(event, access) } catch {}
  }

  /// Folds an event and tells the subscribers it concerns; a refusal is reported and thrown.
  @inlinable
  @inline(__always)
  mutating func fold(_ event: State.Event, _ access: QueueAccess) throws(State.Rejection) {
    if hasStreams { noteEvent(event, access) }
    do throws(State.Rejection) {
      try state.fold(event, access)
    } catch {
      refuse(event, error, access)
      throw error
    }
    if hasStreams { noteState(access) }
    tree.branch.update(from: tree.root, &tree.round, access)
    tree.round.notify(access)
    if hasStreams { forgetElements(access) }
  }

  /// The subscribers to all states.
  mutating func stateGroup() -> StreamGroup<State> {
    hasStreams = true
    let group = states ?? StreamGroup()
    states = group
    return group
  }

  /// The subscribers to all events.
  mutating func eventGroup() -> StreamGroup<State.Event> {
    hasStreams = true
    let group = events ?? StreamGroup()
    events = group
    return group
  }

  @usableFromInline
  mutating func noteEvent(_ event: State.Event, _ access: QueueAccess) {
    guard let events, !events.isEmpty else { return }
    events.contents[access].element = event
    tree.round.note(events)
  }

  @usableFromInline
  mutating func noteState(_ access: QueueAccess) {
    guard let states, !states.isEmpty else { return }
    states.contents[access].element = state.contents.pointee.state
    tree.round.note(states)
  }

  /// Drops the elements of the round: a copy of the state would make the next event copy what it changes.
  @usableFromInline
  func forgetElements(_ access: QueueAccess) {
    states?.contents[access].element = nil
    events?.contents[access].element = nil
  }

  @usableFromInline
  mutating func refuse(_ event: State.Event, _ reason: State.Rejection, _ access: QueueAccess) {
    tree.round.notify(access)
    forgetElements(access)
    reports.reject(event, reason)
  }
}
