import Streams

/// What has happened to a row, and the state that this has led to.
@usableFromInline
struct RowMove<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  /// `nil` for the state that a newcomer starts from.
  let step: RowStep<Key, State>?
  let source: SourceID?
  let cause: Cause
  /// `nil` if the row is not there any more.
  let state: State?
}

/// The subscribers to all events, to all changes and to all moves of the rows of one shard.
///
/// It belongs to the owner of the shard's queue.
@usableFromInline
struct RowStreams<Key: Hashable & Sendable, State: AggregateState> {
  @usableFromInline typealias Change = RowChange<Key, State>

  private var events: StreamGroup<State.Event>?
  private var changes: StreamGroup<Change>?
  private var moves: StreamGroup<RowMove<Key, State>>?

  init() {}

  mutating func eventGroup() -> StreamGroup<State.Event> {
    let group = events ?? StreamGroup()
    events = group
    return group
  }

  mutating func changeGroup() -> StreamGroup<Change> {
    let group = changes ?? StreamGroup()
    changes = group
    return group
  }

  mutating func moveGroup() -> StreamGroup<RowMove<Key, State>> {
    let group = moves ?? StreamGroup()
    moves = group
    return group
  }

  /// Notes what has happened to a row.
  ///
  /// - Parameter cause: what brought it about; `nil` if that is what is being delivered.
  @usableFromInline
  func noteMove(
    _ change: @autoclosure () -> RowStep<Key, State>.Change,
    of row: RowReference<Key, State>,
    from source: SourceID?,
    by cause: Cause?,
    in round: inout Round,
    _ access: QueueAccess
  ) {
    guard let moves, !moves.isEmpty else { return }
    moves.contents[access].element = RowMove(
      step: RowStep(key: row.pointer.pointee.key, change()),
      source: source,
      cause: cause ?? CarriedCause.current.cause,
      state: row.pointer.pointee.state
    )
    round.note(moves)
  }

  @usableFromInline
  func note(_ event: State.Event, in round: inout Round, _ access: QueueAccess) {
    guard let events, !events.isEmpty else { return }
    events.contents[access].element = event
    round.note(events)
  }

  /// Notes what has happened to a row.
  func note(_ change: @autoclosure () -> Change, in round: inout Round, _ access: QueueAccess) {
    guard let changes, !changes.isEmpty else { return }
    changes.contents[access].element = change()
    round.note(changes)
  }

  /// Notes that a row that was there has changed.
  @usableFromInline
  func noteUpdate(of row: RowReference<Key, State>, in round: inout Round, _ access: QueueAccess) {
    guard let state = row.pointer.pointee.state else { return }
    note(.updated(row.pointer.pointee.key, state), in: &round, access)
  }

  /// Drops the elements of the round: a copy of a row would make the next event copy what it changes.
  @usableFromInline
  func forgetElements(_ access: QueueAccess) {
    changes?.contents[access].element = nil
    events?.contents[access].element = nil
    moves?.contents[access].element = nil
  }
}
