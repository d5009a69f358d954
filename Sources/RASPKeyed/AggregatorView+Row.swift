import Aggregate
import Streams

extension AggregatorView {
  /// A view of a row, which need not be there.
  ///
  /// - Parameters:
  ///   - aggregator: the aggregator of the row. Events for other rows may be sent, too.
  ///   - key: the key of the row.
  ///   - makeState: makes the state of the view from that of the row, and from what tells the row of an event.
  @inlinable
  package init<Key, Row>(
    _ aggregator: KeyedAggregator<Key, Row>,
    key: Key,
    makeState: @escaping @Sendable (Row?, _ keyOf: @escaping @Sendable (Row.Event) -> Key) -> State
  ) where State.Event == Row.Event {
    let core = aggregator.core
    let row = aggregator[key]
    let shard = row.shard
    let keyOf = core.router.keyOf
    self.init(
      read: { makeState(row.current, keyOf) },
      readIfIdle: {
        let row = shard.read { store in shard.queue.isIdle ? Optional(store.state(of: key)) : nil } ?? nil
        return row.map { makeState($0, keyOf) }
      },
      receive: { core.receive($0, from: nil) },
      enterLine: { body in
        shard.queue.run { _, access in
          withExtendedLifetime(shard) { body(makeState(shard.store.state(of: key), keyOf)) }
        }
      },
      moments: row.selection(of: StateSelector { _ in Moment() }).observable.map { _ in Moment() }
    )
  }
}
