import Aggregate
import RASPSupport
import Streams

/// The running part of a keyed aggregator: its shards, and the sources that feed them.
///
/// Safe to share: every property is safe by itself and does not change.
@usableFromInline
package final class KeyedCore<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  @usableFromInline let shards: [KeyedShard<Key, State>]
  /// The thread that sends asks it, before the event enters a queue.
  @usableFromInline let router: EventRouter<Key, State>
  @usableFromInline package let reports: Reports<State>
  @usableFromInline package let sources: SourceList
  package let recording = Lock(RecordingUse<RecordingHook<RecordedStep<Key, State>, RowGarbage<Key, State>>>())
  /// The timer that has idle rows looked for.
  private let sweep: Subscription?

  /// - Parameter evictIdle: has a shard give up its idle rows. It is made where the types are known, so that it is
  ///   specialised.
  @usableFromInline
  init(
    keyOf: @escaping @Sendable (State.Event) -> Key,
    makeRow: @escaping @Sendable (Key) -> State,
    shards count: Int,
    indexOf: (@Sendable (Key) -> Int)?,
    options: KeyedOptions,
    idle evictIdle: @escaping @Sendable (KeyedShard<Key, State>, any Scheduler) -> Void
  ) {
    assert(count == 1 || indexOf != nil, "Several shards need a rule that divides the keys.")
    let reports = Reports<State>()
    let sources = SourceList()
    let shards = (0..<count).map { _ in KeyedShard(makeRow: makeRow, options, reports, sources) }
    self.shards = shards
    router = EventRouter(to: shards, keyOf: keyOf, indexOf: indexOf)
    self.reports = reports
    self.sources = sources
    let scheduler = options.scheduler
    sweep = options.evicting.sweepPeriod.map { period in
      Observable<Int, Never>.interval(period, on: scheduler).subscribe { _ in
        for shard in shards { evictIdle(shard, scheduler) }
      }
    }
  }

  @inlinable
  func shard(of key: Key) -> KeyedShard<Key, State> {
    shards[router.index(of: key)]
  }

  // MARK: Events

  @inlinable
  @inline(__always)
  package func receive(_ event: State.Event, from source: SourceID?) -> Bool {
    let key = router.key(of: event)
    return router.withShard(of: key) { $0.receive(event, for: key, from: source) }
  }

  @inlinable
  package func receive(contentsOf events: [State.Event], from source: SourceID?) -> Bool {
    if events.count == 1 { return receive(events[0], from: source) }
    guard shards.count > 1, !events.isEmpty else {
      return shards[0].receive(events.indices, of: events, from: source) { router.key(of: events[$0]) }
    }
    let keys = events.map { router.key(of: $0) }
    var isAccepted = false
    divide(keys) { shard, order in
      if shard.receive(order, of: events, from: source, key: { keys[$0] }) { isAccepted = true }
    }
    return isAccepted
  }

  /// Calls `body` for each shard that some keys belong to, with the indices of its keys, which rise.
  @inlinable
  @inline(__always)
  func divide(_ keys: [Key], _ body: (KeyedShard<Key, State>, [Int]) -> Void) {
    var orders = [[Int]](repeating: [], count: shards.count)
    for (index, key) in keys.enumerated() { orders[router.index(of: key)].append(index) }
    for (shard, order) in zip(shards, orders) where !order.isEmpty { body(shard, order) }
  }

  @inlinable
  func put(_ rows: some Sequence<(key: Key, value: State)>) {
    let rows = rows.map { (key: $0.key, state: $0.value) }
    guard !rows.isEmpty else { return }
    guard shards.count > 1 else { return shards[0].put(rows) }
    divide(rows.map(\.key)) { shard, order in shard.put(order.map { rows[$0] }) }
  }

  /// Puts in the rows that are there from the start. It stands apart, so that it is not compiled for each application.
  @usableFromInline
  func putFirst(_ rows: any Sequence<(key: Key, value: State)>) {
    put(rows)
  }

  // MARK: End

  @usableFromInline
  @discardableResult
  func finish(droppingPending isDropping: Bool = false, isReleased: Bool = false) -> Bool {
    sweep?.cancel()
    var isFirst = false
    let open = CountDownLatch(shards.count) { [reports] in reports.finish() }
    for shard in shards {
      let isOpen = shard.queue.close(droppingPending: isDropping) { shell, access in
        shell.tree.finish(shell.sources, isReleased: isReleased, shell.reports.hubs, access)
        open.countDown()
      }
      if isOpen { isFirst = true }
    }
    return isFirst
  }
}
