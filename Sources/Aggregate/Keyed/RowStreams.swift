import Streams

/// What has happened to a row, and the state that this has led to.
@usableFromInline
struct RowMove<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  /// `nil` for the state that a newcomer starts from.
  @usableFromInline let step: RowStep<Key, State>?
  @usableFromInline let source: SourceID?
  @usableFromInline let cause: Cause
  /// `nil` if the row is not there any more.
  @usableFromInline let state: State?

  @inlinable
  init(step: RowStep<Key, State>?, source: SourceID?, cause: Cause, state: State?) {
    self.step = step
    self.source = source
    self.cause = cause
    self.state = state
  }
}

/// The subscribers to all events and to all changes of the rows of one shard, and the number of those who are told what
/// happens to one row: they are filed by the row, in its ``RowSelections``.
///
/// It belongs to the owner of the shard's queue.
@usableFromInline
struct RowStreams<Key: Hashable & Sendable, State: AggregateState> {
  @usableFromInline typealias Change = RowChange<Key, State>
  @usableFromInline typealias Reference = RowReference<Key, State>

  @usableFromInline var events: StreamGroup<State.Event>?
  @usableFromInline var changes: StreamGroup<Change>?
  /// The subscribers to what happens to one row, of all rows.
  @usableFromInline var moveCount = 0

  @inlinable
  init() {}

  /// Is `true` while there are subscribers.
  var isUsed: Bool { moveCount > 0 || events?.isEmpty == false || changes?.isEmpty == false }

  /// Notes what has happened to a row.
  ///
  /// - Parameter cause: what brought it about; `nil` if that is what is being delivered.
  @inlinable
  func noteMove(
    _ change: @autoclosure () -> RowStep<Key, State>.Change,
    of row: Reference,
    from source: SourceID?,
    by cause: Cause?,
    in round: inout Round,
    _ access: QueueAccess
  ) {
    row.withMoves { moves in
      moves.contents[access].element = RowMove(
        step: RowStep(key: row.pointer.pointee.key, change()),
        source: source,
        cause: cause ?? CarriedCause.current.cause,
        state: row.pointer.pointee.state
      )
      round.note(moves)
    }
  }

  @inlinable
  func note(_ event: State.Event, in round: inout Round, _ access: QueueAccess) {
    guard let events, !events.isEmpty else { return }
    events.contents[access].element = event
    round.note(events)
  }

  /// Notes what has happened to a row.
  @inlinable
  func note(_ change: @autoclosure () -> Change, in round: inout Round, _ access: QueueAccess) {
    guard let changes, !changes.isEmpty else { return }
    changes.contents[access].element = change()
    round.note(changes)
  }

  /// Notes that a row that was there has changed.
  @inlinable
  func noteUpdate(of row: Reference, in round: inout Round, _ access: QueueAccess) {
    guard let changes, !changes.isEmpty, let state = row.pointer.pointee.state else { return }
    changes.contents[access].element = .updated(row.pointer.pointee.key, state)
    round.note(changes)
  }

  /// Drops the elements of the round: a copy of a row would make the next event copy what it changes.
  ///
  /// - Parameter row: the row of the round, if it is there.
  @inlinable
  func forgetElements(of row: Reference?, _ access: QueueAccess) {
    changes?.contents[access].element = nil
    events?.contents[access].element = nil
    row?.withMoves { $0.contents[access].element = nil }
  }
}

extension RowReference {
  /// Calls `body` with those who are told what happens to the row, if there are any.
  @inlinable
  @inline(__always)
  func withMoves(_ body: (StreamGroup<RowMove<Key, State>>) -> Void) {
    pointer.pointee.subscribers?._withUnsafeGuaranteedRef { subscribers in
      guard subscribers.hasMoves else { return }
      // A row gets no other subscribers than its `RowSelections`.
      if let moves = unsafeDowncast(subscribers, to: RowSelections<Key, State>.self).moves { body(moves) }
    }
  }
}

extension KeyedShell {
  /// The subscribers to all events.
  @inlinable
  mutating func eventGroup() -> StreamGroup<State.Event> {
    let group = streams.events ?? StreamGroup()
    streams.events = group
    return group
  }

  /// The subscribers to the changes of all rows.
  @inlinable
  mutating func changeGroup() -> StreamGroup<RowChange<Key, State>> {
    let group = streams.changes ?? StreamGroup()
    streams.changes = group
    return group
  }

  /// Looks whether streams have subscribers: an event without them goes the short way.
  @usableFromInline
  mutating func noteStreams() {
    hasStreams = streams.isUsed
    isWatched = hasStreams || tape != nil
  }
}
