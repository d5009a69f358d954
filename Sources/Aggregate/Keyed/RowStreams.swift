import Streams

/// The subscribers to all events and to all changes of the rows of one shard.
///
/// It belongs to the owner of the shard's queue.
@usableFromInline
struct RowStreams<Key: Hashable & Sendable, State: AggregateState> {
  @usableFromInline typealias Change = RowChange<Key, State>

  private var events: StreamGroup<State.Event>?
  private var changes: StreamGroup<Change>?

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
  }
}
