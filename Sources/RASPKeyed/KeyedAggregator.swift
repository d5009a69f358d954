import Aggregate
import Streams

/// The states of many things of one kind, each of which has a key: devices, quotes, sessions, boats.
///
///     struct Quote: AggregateState {
///       var price = 0.0
///       mutating func apply(_ tick: Tick) { price = tick.price }
///     }
///
///     let quotes = KeyedAggregator(by: \Tick.symbol, initial: { _ in Quote() }, sources: feed)
///     quotes.send(Tick(symbol: "ACME", price: 12.5))
///     quotes["ACME"].current                                                  // the row now
///     let price = quotes["ACME"].select(\.price).subscribe { show($0) }       // one row
///     let prices = quotes.each(\.price).subscribe { symbol, price in … }      // all rows, only what changed
///     let best = quotes.ranked(by: \.price, first: 20).subscribe { rows in … }
///
/// A row is an ordinary ``/Aggregate/AggregateState``. It is made by its first event, and an event costs what it
/// changes: its row, the selections of this row, and the views over all rows that have subscribers.
///
/// ### Ordering
///
/// One queue takes all events, as with an ``/Aggregate/Aggregator``. One event makes one change of one row, and one
/// round of notifications. All subscribers, to any row and to any view, are called in the order of subscription. The
/// order of events of two sources is that in which they arrive, as with an ``/Aggregate/Aggregator``.
///
/// ### Lifetime
///
/// Neither sources nor subscriptions nor rows keep it alive, so keep it in a property. Releasing it does what
/// ``finish()`` does, and a debug build writes a line if subscribers are kept longer. Rows stay until they are removed
/// by ``remove(_:)``, unless a ``RowEviction`` was given.
///
/// ### Concurrency
///
/// Every member may be called from any thread, also from inside callbacks, which run with no internal lock held. A
/// key's `==`, `hash(into:)` and deinit must not use the aggregator. They should be short: a thread that reads a row
/// hashes and compares its key while the next event waits, and so do the others for a row that is made or removed.
///
/// - Complexity: an event costs what `apply` costs, plus finding the row in O(1), plus the selections of the row that
///   are subscribed to, plus the views, whatever the number of rows is. With key paths to stored properties, an event
///   allocates nothing in a steady state (a benchmark shows it).
public final class KeyedAggregator<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  @usableFromInline package let core: KeyedCore<Key, State>

  @usableFromInline
  init(core: KeyedCore<Key, State>) {
    self.core = core
  }

  deinit {
    core.finish(isReleased: true)
  }

  // MARK: Events

  /// Folds an event into the row of its key. If there is no such row, one is made.
  ///
  /// - Returns: `true` if the event was accepted; `false` if it is not folded, because the aggregator has finished, or
  ///   because the bound of its line dropped the event.
  /// - Ordering: as for ``/Aggregate/Aggregator/send(_:)``.
  /// - Concurrency: as for ``/Aggregate/Aggregator/send(_:)``.
  /// - Complexity: the cost of the event, as the description of ``KeyedAggregator`` says, for each event that this call
  ///   handles.
  @inlinable
  @discardableResult
  public func send(_ event: State.Event) -> Bool {
    core.receive(event, from: nil)
  }

  /// Folds several events, one after the other, with nothing between them. Each makes a change and a round of its own.
  ///
  /// - Returns: `true` if at least one of the events was accepted, or if there are none and the aggregator has not
  ///   finished.
  /// - Concurrency: as for ``/Aggregate/Aggregator/send(contentsOf:)``.
  /// - Complexity: the sum of the costs of the events.
  @inlinable
  @discardableResult
  public func send(contentsOf events: some Sequence<State.Event>) -> Bool {
    core.receive(contentsOf: Array(events), from: nil)
  }

  /// The number of items that wait while events are being folded: events, changes of subscriptions, and a look for idle
  /// rows. To wait until all is folded, use ``drained(isolation:)``.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var pendingCount: Int {
    var count = 0
    for shard in core.shards { count += shard.queue.pendingCount }
    return count
  }

  /// The number of events that the bound of the line has dropped so far.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var droppedCount: Int {
    var count = 0
    for shard in core.shards { count += shard.queue.droppedCount }
    return count
  }

  /// Ends the aggregator after all events that were accepted: sources are cancelled and subscribers are finished. The
  /// rows stay readable.
  ///
  /// - Returns: `false` if it had finished before.
  @discardableResult
  public func finish() -> Bool {
    core.finish()
  }

  /// Ends the aggregator, and says what becomes of the events that wait.
  ///
  /// - Parameter isDropping: whether the events that wait are dropped, so that the end comes right behind the events
  ///   that are being folded. ``droppedCount`` counts them. What was submitted is folded all the same.
  /// - Returns: `false` if it had finished before.
  @discardableResult
  public func finish(droppingPending isDropping: Bool) -> Bool {
    core.finish(droppingPending: isDropping)
  }

  // MARK: Rows

  /// The row of a key. It need not be there.
  ///
  /// - Complexity: O(1).
  @inlinable
  public subscript(key: Key) -> AggregateRow<Key, State> {
    AggregateRow(key, in: core.shard(of: key))
  }

  /// The number of rows.
  ///
  /// A read from inside `apply` cannot be answered: it finds no rows, and is reported once on ``diagnostics``.
  ///
  /// - Concurrency: as for ``rows()``.
  /// - Complexity: O(1).
  @inlinable
  public var rowCount: Int {
    var count = 0
    for shard in core.shards { count += shard.read { $0.stateCount } ?? 0 }
    return count
  }

  /// Copies all rows. What is returned is a value: it stays as it is when the rows change. One row is read by its key
  /// instead, `quotes["ACME"].current`, in O(1).
  ///
  /// A read from inside `apply` cannot be answered, unless the rows may refuse events: it finds no rows, and is
  /// reported once on ``diagnostics``. What a row needs of itself is in `self`, and what it needs of others comes with
  /// the event.
  ///
  /// - Returns: the rows, as they are at one moment.
  /// - Concurrency: may be called from any thread. A read waits for an `apply` that is running on another thread. An
  ///   event that arrives while the rows are copied is folded after that, and its sender waits so long: with
  ///   200,000 rows about ten milliseconds.
  /// - Complexity: O(rows).
  @inlinable
  public func rows() -> [Key: State] {
    var rows: [Key: State] = [:]
    for shard in core.shards {
      let states = shard.read { $0.states } ?? []
      rows.reserveCapacity(rows.count + states.count)
      for (key, _, state) in states { rows[key] = state }
    }
    return rows
  }

  /// Removes a row. Subscribers to its selections get `nil`, and its next event makes it anew.
  ///
  /// - Ordering: as an event: behind everything that was accepted before.
  /// - Complexity: O(1), beside the subscribers concerned.
  @inlinable
  public func remove(_ key: Key) {
    core.shard(of: key).remove(key)
  }

  /// Puts rows in, in the place of those that have the same keys: the way to load many at once.
  ///
  ///     quotes.insert(["ACME": acme, "XYZ": xyz] as KeyValuePairs)      // in this order
  ///     quotes.insert(saved)                                            // a dictionary: in an order of its own
  ///
  /// - Parameter rows: the rows with their keys, as a dictionary or an array of pairs has them.
  /// - Ordering: as events: in the order of `rows`, behind everything that was accepted before, and with nothing
  ///   between the rows. A dictionary has another order in each process.
  /// - Complexity: as an event for each row, without its fold.
  @inlinable
  public func insert(_ rows: some Sequence<(key: Key, value: State)>) {
    core.put(rows)
  }
}
