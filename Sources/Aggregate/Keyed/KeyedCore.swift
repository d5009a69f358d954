import Streams

/// The running part of a keyed aggregator: its shards, and the sources that feed them.
///
/// Safe to share: every property is safe by itself and does not change.
@usableFromInline
final class KeyedCore<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  @usableFromInline let shards: [KeyedShard<Key, State>]
  /// The thread that sends asks it, before the event enters a queue.
  @usableFromInline let router: EventRouter<Key, State>
  @usableFromInline let reports: Reports<State>
  @usableFromInline let sources: SourceList
  let sharedTape = Lock(SharedTape<KeyedTapeCell<Key, State>>())
  /// The timer that has idle rows looked for.
  private let sweep: Subscription?

  @usableFromInline
  init(
    keyOf: @escaping @Sendable (State.Event) -> Key,
    makeRow: @escaping @Sendable (Key) -> State,
    shards count: Int,
    indexOf: @escaping @Sendable (Key) -> Int,
    buffering policy: BufferingPolicy,
    evicting eviction: RowEviction,
    on scheduler: any Scheduler,
    origin: SourceLocation
  ) {
    let count = max(1, count)
    let reports = Reports<State>(origin: origin)
    let sources = SourceList()
    let shards = (0..<count).map { _ in
      KeyedShard(
        makeRow: makeRow,
        buffering: policy,
        evicting: eviction.divided(by: count),
        reports,
        sources
      )
    }
    self.shards = shards
    router = EventRouter(to: shards, keyOf: keyOf, indexOf: indexOf)
    self.reports = reports
    self.sources = sources
    sweep = eviction.sweepPeriod.map { period in
      Observable<Int, Never>.interval(period, on: scheduler).subscribe { _ in
        for shard in shards { shard.evictIdleRows() }
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
  func receive(_ event: State.Event, from source: SourceID?) -> Bool {
    let key = router.key(of: event)
    return router.withShard(of: key.key) { $0.receive(event, for: key, from: source) }
  }

  @inlinable
  func receive(contentsOf events: some Sequence<State.Event>) -> Bool {
    let events = events.map { RowEvent<Key, State.Event>(event: $0, key: router.key(of: $0), source: nil) }
    guard shards.count > 1, !events.isEmpty else { return shards[0].receive(contentsOf: events) }
    var isAccepted = false
    divide(events, by: \.key.key) { shard, events in
      if shard.receive(contentsOf: events) { isAccepted = true }
    }
    return isAccepted
  }

  /// Calls `body` for each shard that gets a part of a list, with the part.
  @inlinable
  @inline(__always)
  func divide<Element>(
    _ elements: [Element],
    by key: (Element) -> Key,
    _ body: (KeyedShard<Key, State>, [Element]) -> Void
  ) {
    let indices = elements.map { router.index(of: key($0)) }
    // Counted first, so that each part has as much room as it needs.
    var counts = [Int](repeating: 0, count: shards.count)
    for index in indices { counts[index] += 1 }
    for index in counts.indices where counts[index] > 0 {
      var part: [Element] = []
      part.reserveCapacity(counts[index])
      for place in indices.indices where indices[place] == index { part.append(elements[place]) }
      body(shards[index], part)
    }
  }

  func submit(_ event: State.Event, _ settle: @escaping @Sendable (Receipt<State.Rejection>.Outcome) -> Void) {
    let key = router.key(of: event)
    shard(of: key.key).queue.run { shell, access in
      access.lend()
      guard !shell.tree.hasEnded else { return settle(.decided(.finished)) }
      do throws(State.Rejection) {
        try shell.fold(event, for: key, isSubmitted: true, access)
        settle(.decided(.folded))
      } catch {
        settle(.refused(error))
      }
    }
  }

  @inlinable
  func put(_ rows: some Sequence<(key: Key, value: State)>) {
    let rows = rows.map { (key: HashedKey($0.key), state: $0.value) }
    guard !rows.isEmpty else { return }
    guard shards.count > 1 else { return shards[0].put(rows) }
    divide(rows, by: \.key.key) { shard, rows in shard.put(rows) }
  }

  /// Puts in the rows that are there from the start. It stands apart, so that it is not compiled for each application.
  @usableFromInline
  func putFirst(_ rows: any Sequence<(key: Key, value: State)>) {
    put(rows)
  }

  // MARK: End

  @usableFromInline
  @discardableResult
  func finish() -> Bool {
    sweep?.cancel()
    var isFirst = false
    let open = CountDownLatch(shards.count) { [reports] in reports.finish() }
    for shard in shards {
      if shard.finish({ open.countDown() }) { isFirst = true }
    }
    return isFirst
  }
}
