import Aggregate
import Streams

// The subscribers to what happens in the rows.
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
    isWatched = hasStreams || hook != nil
  }
}
