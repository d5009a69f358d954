import Aggregate
import RASPSupport
import Streams

/// What has happened to a row.
///
/// Safe to share: the addresses are used by those whom the owner of the queue calls in one round, or who get their
/// first value, and the change and the row are there until they have returned.
@usableFromInline
struct RowMove<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  @usableFromInline typealias Change = RowStep<Key, State>.Change

  /// `nil` for the state that a newcomer starts from. An address, so that nothing is copied for those who are told.
  @usableFromInline let changeAddress: SharedAddress<UnsafePointer<Change>>?
  @usableFromInline let source: SourceID?
  /// `nil` if it is what is being delivered.
  @usableFromInline let cause: Cause?
  /// The row, with the state that this has led to; `nil` if there is none.
  @usableFromInline let row: RowReference<Key, State>?

  @inlinable
  init(_ change: UnsafePointer<Change>?, source: SourceID?, cause: Cause?, row: RowReference<Key, State>?) {
    changeAddress = change.map { SharedAddress($0) }
    self.source = source
    self.cause = cause
    self.row = row
  }

  @inlinable
  var change: UnsafePointer<Change>? { changeAddress?.pointer }
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
  @inlinable
  func forgetElements(_ access: QueueAccess) {
    changes?.contents[access].element = nil
    events?.contents[access].element = nil
  }
}
