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
    let hashedKey = HashedKey(key)
    let keyOf = core.router.keyOf
    self.init(
      read: { makeState(row.current, keyOf) },
      readIfIdle: {
        let row = shard.read { table in shard.queue.isIdle ? Optional(table.state(of: hashedKey)) : nil } ?? nil
        return row.map { makeState($0, keyOf) }
      },
      receive: { core.receive($0, from: nil) },
      enterLine: { body in
        shard.queue.run { _, access in
          withExtendedLifetime(shard) { body(makeState(shard.store.table.pointee.state(of: hashedKey), keyOf)) }
        }
      },
      moments: row.selection(of: StateSelector { _ in Moment() }).observable.map { _ in Moment() }
    )
  }
}
