import Aggregate
import Streams

/// The subscribers to all events and to all changes of the rows of one shard.
///
/// It belongs to the owner of the shard's queue.
@usableFromInline
struct RowStreams<Key: Hashable & Sendable, State: AggregateState> {
  @usableFromInline typealias Change = RowChange<Key, State>

  @usableFromInline var events: StreamGroup<State.Event>?
  @usableFromInline var changes: StreamGroup<Change>?

  @inlinable
  init() {}

  /// Is `true` while there are subscribers.
  var isUsed: Bool { events?.isEmpty == false || changes?.isEmpty == false }

  @inlinable
  func note(_ event: State.Event, in round: inout Round, _ access: QueueAccess) {
    guard let events, !events.isEmpty else { return }
    events.element[access] = event
    round.note(events)
  }

  /// Notes what has happened to a row.
  @inlinable
  func note(_ change: @autoclosure () -> Change, in round: inout Round, _ access: QueueAccess) {
    guard let changes, !changes.isEmpty else { return }
    changes.element[access] = change()
    round.note(changes)
  }

  /// Notes that a row that was there has changed.
  @inlinable
  func noteUpdate(of row: KeyedRow<Key, State>, in round: inout Round, _ access: QueueAccess) {
    guard let changes, !changes.isEmpty, let state = row.state else { return }
    changes.element[access] = .updated(row.key, state)
    round.note(changes)
  }
}
