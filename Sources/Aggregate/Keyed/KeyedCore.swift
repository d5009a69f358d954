import Streams

/// The running part of a keyed aggregator: its shards, and the sources that feed them.
///
/// Safe to share: every property is safe by itself and does not change.
@usableFromInline
final class KeyedCore<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  @usableFromInline let shards: [KeyedShard<Key, State>]
  /// The only shard, which `shards` keeps alive; `nil` if there are several. An event that uses it counts no reference.
  @usableFromInline let onlyShard: Unmanaged<KeyedShard<Key, State>>?
  /// Tells the row of an event. It is called by the thread that sends, before the event enters a queue.
  @usableFromInline let keyOf: @Sendable (State.Event) -> Key
  /// The index of the shard of a key.
  @usableFromInline let indexOf: @Sendable (Key) -> Int
  let reports: Reports<State>
  @usableFromInline let sources: SourceList
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
    onlyShard = count == 1 ? .passUnretained(shards[0]) : nil
    self.keyOf = keyOf
    self.indexOf = indexOf
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
    onlyShard == nil ? shards[indexOf(key)] : shards[0]
  }

  // MARK: Events

  @inlinable
  @inline(__always)
  func receive(_ event: State.Event, from source: SourceID?) -> Bool {
    let key = HashedKey(keyOf(event))
    if let onlyShard { return onlyShard._withUnsafeGuaranteedRef { $0.receive(event, for: key, from: source) } }
    return shard(of: key.key).receive(event, for: key, from: source)
  }

  func receive(contentsOf events: [State.Event]) -> Bool {
    let events = events.map { RowEvent(event: $0, key: HashedKey(keyOf($0)), source: nil) }
    guard shards.count > 1, !events.isEmpty else { return shards[0].receive(contentsOf: events) }
    var isAccepted = false
    for (index, events) in Dictionary(grouping: events, by: { indexOf($0.key.key) }) {
      if shards[index].receive(contentsOf: events) { isAccepted = true }
    }
    return isAccepted
  }

  func submit(_ event: State.Event, _ settle: @escaping @Sendable (Receipt<State.Rejection>.Outcome) -> Void) {
    let key = HashedKey(keyOf(event))
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

  @usableFromInline
  func put(_ rows: some Sequence<(key: Key, value: State)>) {
    let rows = rows.map { (key: HashedKey($0.key), state: $0.value) }
    guard !rows.isEmpty else { return }
    guard shards.count > 1 else { return shards[0].put(rows) }
    for (index, rows) in Dictionary(grouping: rows, by: { indexOf($0.key.key) }) { shards[index].put(rows) }
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
