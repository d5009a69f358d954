import Streams

/// What has happened to a row.
@usableFromInline
struct RowMove<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  /// `nil` for the state that a newcomer starts from.
  @usableFromInline let step: RowStep<Key, State>?
  @usableFromInline let source: SourceID?
  @usableFromInline let cause: Cause
  /// The row, with the state that this has led to; `nil` if there is none.
  @usableFromInline let row: RowReference<Key, State>?

  @inlinable
  init(step: RowStep<Key, State>?, source: SourceID?, cause: Cause, row: RowReference<Key, State>?) {
    self.step = step
    self.source = source
    self.cause = cause
    self.row = row
  }
}

/// The address of a ``RowMove``, so that nothing is copied for each of those who are told.
///
/// Safe to share: it is used by those whom the owner of the queue calls in one round, or greets, and the move is there until
/// they have returned.
@usableFromInline
struct RowMoveReference<Key: Hashable & Sendable, State: AggregateState>: @unchecked Sendable {
  @usableFromInline let move: UnsafePointer<RowMove<Key, State>>

  @inlinable
  init(_ move: UnsafePointer<RowMove<Key, State>>) {
    self.move = move
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
  /// - Parameters:
  ///   - cause: what brought it about; `nil` if that is what is being delivered.
  ///   - memory: where it is during the round.
  @inlinable
  func noteMove(
    _ change: @autoclosure () -> RowStep<Key, State>.Change,
    of row: Reference,
    from source: SourceID?,
    by cause: Cause?,
    in round: inout Round,
    at memory: borrowing QueueIsolated<RowMove<Key, State>?>,
    _ access: QueueAccess
  ) {
    row.withMoves { moves in
      let pointer = memory.pointer
      pointer.pointee = RowMove(
        step: RowStep(key: row.pointer.pointee.key, change()),
        source: source,
        cause: cause ?? CarriedCause.current.cause,
        row: row
      )
      // The payload of an optional is at its address.
      moves.contents[access].element = RowMoveReference(
        UnsafeRawPointer(pointer).assumingMemoryBound(to: RowMove<Key, State>.self)
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
  /// - Parameters:
  ///   - row: the row of the round, if it is there.
  ///   - memory: where its move is.
  @inlinable
  func forgetElements(
    of row: Reference?,
    at memory: borrowing QueueIsolated<RowMove<Key, State>?>,
    _ access: QueueAccess
  ) {
    changes?.contents[access].element = nil
    events?.contents[access].element = nil
    row?.withMoves { moves in
      moves.contents[access].element = nil
      memory.pointer.pointee = nil
    }
  }
}

extension RowReference {
  /// Calls `body` with those who are told what happens to the row, if there are any.
  @inlinable
  @inline(__always)
  func withMoves(_ body: (StreamGroup<RowMoveReference<Key, State>>) -> Void) {
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
