public import Streams

/// The state of one domain, fed by many sources: every event is folded into it, and consumers read whole snapshots or
/// single fields.
///
///     let geo = Aggregator(
///       initial: GeoState(),
///       sources: compass.map(GeoEvent.heading), gps.map(GeoEvent.location)
///     )
///     geo.send(.heading(north))                                  // by hand, from any thread
///     geo.snapshot                                               // the state now
///     let token = geo.select(\.heading).subscribe { render($0) } // now, and whenever it changes
///
/// It folds from the moment it exists, with or without subscribers.
///
/// ### Ordering
///
/// One queue takes the events of all sources and of ``send(_:)``. One event makes one snapshot and one round of
/// notifications; nothing is merged and nothing is dropped. All subscribers of states, events and selections are called in
/// the order of subscription; ``rejections``, ``sourceFailures`` and ``diagnostics`` come behind the round. An event that
/// arrives during a round, from a subscriber or from another thread, is folded when everyone has seen the present snapshot.
///
/// ### Sources
///
/// A source that fails is detached and reported on ``sourceFailures``; one that finishes is forgotten. Neither ends the
/// others, and the aggregator stays open for events sent by hand until ``finish()``.
///
/// ### Lifetime
///
/// Neither sources nor subscriptions nor selections keep the aggregator alive. Releasing it does what ``finish()`` does.
///
/// ### Concurrency
///
/// Everything may be called from any thread, also from inside callbacks, which run with no internal lock held.
///
/// - Complexity: an event costs what `apply` costs, plus the selections that are subscribed to and whose parent changed,
///   plus the subscribers of what changed. Nothing is allocated in a steady state.
public final class Aggregator<State: AggregateState>: Sendable {
  @usableFromInline let core: AggregatorCore<State>

  /// An aggregator that starts with `initial` and is fed by `sources`, which are subscribed to in the order given.
  ///
  /// Sources may differ in how they fail. A source of one concrete ``AggregateEvent`` joins by way of
  /// `asAggregateEvents()`.
  ///
  /// - Parameters:
  ///   - initial: the state before the first event.
  ///   - policy: what becomes of events that arrive while others are being folded. A bound drops events under load, and
  ///     ``droppedCount`` tells how many; ``submit(_:)`` is the way to send with backpressure instead.
  ///   - sources: what feeds it.
  /// - Complexity: O(sources), beside what it costs to subscribe to them.
  @inlinable
  @inline(__always)
  public convenience init<each Failure: Error>(
    initial: State,
    buffering policy: BufferingPolicy = .unbounded,
    sources: repeat Observable<State.Event, each Failure>
  ) {
    var newcomers: [AnySource<State.Event>] = []
    repeat newcomers.append(AnySource(each sources))
    self.init(initial: initial, policy: policy, newcomers: newcomers)
  }

  /// An aggregator that starts with `initial` and is fed by an array of sources, which are subscribed to in their order.
  ///
  /// - Parameters:
  ///   - initial: the state before the first event.
  ///   - policy: what becomes of events that arrive while others are being folded.
  ///   - sources: what feeds it.
  @inlinable
  public convenience init<Failure: Error>(
    initial: State,
    buffering policy: BufferingPolicy = .unbounded,
    sources: [Observable<State.Event, Failure>]
  ) {
    self.init(initial: initial, policy: policy, newcomers: sources.map { AnySource($0) })
  }

  /// Apart from the above, so that it is specialised for the state: a function over a pack of failures is not.
  @inlinable
  init(initial: State, policy: BufferingPolicy, newcomers: [AnySource<State.Event>]) {
    core = AggregatorCore(initial: initial, buffering: policy)
    if !newcomers.isEmpty { core.add(newcomers) }
  }

  deinit {
    _ = core.finish()
  }

  /// Folds an event, by hand.
  ///
  /// If the aggregator is idle, everything the event causes has happened when this returns; otherwise whoever is
  /// delivering does it next.
  ///
  /// - Returns: whether the event was accepted: `false` once the aggregator has finished, and then nothing happens. An
  ///   accepted event may still be refused by the state, see ``rejections``.
  @inlinable
  @discardableResult
  public func send(_ event: State.Event) -> Bool {
    core.receive(event, from: nil)
  }

  /// Folds several events, one after the other, with nothing between them. Each makes a snapshot and a round of its own.
  ///
  /// - Returns: whether they were accepted, as with ``send(_:)``.
  /// - Complexity: the sum of what the events cost.
  @inlinable
  @discardableResult
  public func send(contentsOf events: some Sequence<State.Event>) -> Bool {
    // Collected first: a sequence is user code, which must not run while the queue is owned.
    core.receive(contentsOf: Array(events))
  }

  /// How many events and changes of subscriptions wait for the one that is being folded.
  ///
  /// - Complexity: O(1).
  public var pendingCount: Int { core.queue.pendingCount }

  /// How many events the bound of the line has dropped so far.
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { core.queue.droppedCount }

  /// The state now; during a round of notifications, the snapshot of that round.
  ///
  /// Reading waits for nobody but an `apply` that is running on another thread. A read from inside `apply` cannot be
  /// answered, because the state is being changed in its place: it gets the initial state, and a debug build reports it
  /// on ``diagnostics``. (A state that can throw is changed in a copy, and there the read gets the state before the
  /// event.) For this the aggregator keeps its initial state as long as it lives; begin with an empty one if that matters.
  ///
  /// - Complexity: O(1). The snapshot shares the storage of collections with the state; while it is alive, the first
  ///   event that changes one of them copies it.
  public var snapshot: State { core.snapshot() }

  /// Ends the aggregator behind all events that were accepted: sources are let go of and subscribers are finished. The
  /// snapshot stays readable.
  ///
  /// - Returns: `false` if it had finished before.
  @discardableResult
  public func finish() -> Bool {
    core.finish()
  }
}
