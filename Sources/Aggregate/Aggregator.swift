public import Streams

/// The state of one domain, fed by many sources: every event is folded into it, and consumers read whole snapshots or
/// single fields.
///
///     let geo = Aggregator(
///       initial: GeoState(),
///       sources: compass.map(GeoEvent.heading), gps.map(GeoEvent.location)
///     )
///     geo.send(.heading(north))                                  // from any thread
///     geo.snapshot                                               // the state now
///     let token = geo.select(\.heading).subscribe { render($0) } // now, and whenever it changes
///
/// It folds events from the moment it exists, with or without subscribers.
///
/// ### Ordering
///
/// One queue takes the events of all sources and of ``send(_:)``. One event makes one snapshot and one round of
/// notifications. Events are not merged, and none is dropped unless the queue was given a bound. All subscribers of
/// states, events and selections are called in the order of subscription; ``rejections``, ``sourceFailures`` and
/// ``diagnostics`` come behind the round. An event that arrives during a round, from a subscriber or from another
/// thread, waits in a line and is folded when all subscribers have seen the present snapshot.
///
/// ### Sources
///
/// A source that fails is detached and reported on ``sourceFailures``; the aggregator forgets a source that finishes.
/// Neither ends the other sources, and the aggregator accepts events by ``send(_:)`` until ``finish()``.
///
/// The order of events of two sources is that in which they arrive here. A subject has a line of its own, so an event
/// that waits there is overtaken by one of another source, also if one thread has sent both (rule 4 of the contract).
/// Events whose order matters come from one source, or by ``send(_:)``.
///
/// ### Lifetime
///
/// Neither sources nor subscriptions nor selections keep the aggregator alive, so keep it in a property. Releasing it
/// does what ``finish()`` does. A debug build writes a line if subscribers are kept longer than it, see
/// ``UnheardReports``.
///
/// ### Concurrency
///
/// Every member may be called from any thread, also from inside callbacks, which run with no internal lock held. An
/// event that arrives while another thread delivers waits in the line, and that thread folds it, so ``send(_:)`` may
/// return before its event is folded; ``submit(_:isolation:)`` waits for it and is the way to send with backpressure. A
/// thread that has handled 1,024 events of other threads in one call hands the rest of the line over to a task; rule 4
/// of the contract, an article of the module `Streams`, says all of it. ``pendingCount`` tells how many events wait. A
/// bound of the line is chosen in `init(initial:buffering:sources:)`, and ``droppedCount`` tells how many events it has
/// dropped.
///
/// - Complexity: an event costs what `apply` costs, plus the selections that are subscribed to and whose parent
///   changed, plus the subscribers of what changed. With key paths to stored properties, an event allocates nothing in
///   a steady state (a benchmark shows it).
public final class Aggregator<State: AggregateState>: Sendable {
  @usableFromInline package let core: AggregatorCore<State>

  /// Makes an aggregator that starts with `initial` and is fed by `sources`, which are subscribed to in the order
  /// given.
  ///
  /// Sources may differ in the type of their failures. A source of one concrete ``AggregateEvent`` is added by way of
  /// `asAggregateEvents()`. An array of sources is given to ``replace(sources:)-([ObservableConvertible])``.
  ///
  /// - Parameters:
  ///   - initial: the state before the first event.
  ///   - policy: what becomes of events that arrive while others are being folded. A bound drops events under load, and
  ///     ``droppedCount`` tells how many; ``submit(_:isolation:)`` is the way to send with backpressure instead.
  ///   - sources: the streams, subjects and selections whose events are folded.
  /// - Complexity: O(sources), beside the cost of subscribing to them.
  @inlinable
  @inline(__always)
  public convenience init<each Failure: Error>(
    initial: State,
    buffering policy: BufferingPolicy = .unbounded,
    sources: repeat any ObservableConvertible<State.Event, each Failure>
  ) {
    self.init(initial: initial, policy: policy, newcomers: AnySource.list(repeat each sources))
  }

  /// Apart from the above, so that it is specialised for the state: a function over a pack of failures is not.
  @inlinable
  package init(initial: State, policy: BufferingPolicy, newcomers: [AnySource<State.Event>]) {
    core = AggregatorCore(initial: initial, buffering: policy)
    if !newcomers.isEmpty { core.replaceSources(with: newcomers) }
  }

  deinit {
    _ = core.finish(isReleased: true)
  }

  /// Folds an event.
  ///
  /// - Returns: `true` if the event was accepted; `false` if it is not folded, for one of two reasons: the aggregator
  ///   has finished, or the bound of its line dropped the event, which ``droppedCount`` counts. An event that was
  ///   accepted may still be dropped later by the policy `newest`, or be refused by the state, see ``rejections``.
  /// - Ordering: if no other thread delivers, everything the event causes has happened when this returns. Otherwise,
  ///   and when it is called from a callback, the event waits: the thread that delivers goes on with it, and `send` may
  ///   return before. A call that has handled 1,024 events of other threads hands the rest of the line over to a task
  ///   on the concurrent pool, events of its own callbacks included. A thread that is alone folds everything itself.
  /// - Concurrency: may be called from any thread. The caller may come to deliver what other threads send meanwhile, so
  ///   do not call it while you hold a lock that a subscriber takes. To wait until the event has been folded, use
  ///   ``submit(_:isolation:)``.
  /// - Complexity: the cost of the event, as the description of ``Aggregator`` says, for each event that this call
  ///   handles.
  @inlinable
  @discardableResult
  public func send(_ event: State.Event) -> Bool {
    core.receive(event, from: nil)
  }

  /// Folds several events, one after the other, with nothing between them. Each makes a snapshot and a round of its
  /// own.
  ///
  /// - Returns: `true` if at least one of the events was accepted, or if there are none and the aggregator has not
  ///   finished; `false` if none of them is folded, because the aggregator has finished, or because the bound of its
  ///   line dropped all of them. ``droppedCount`` counts what a bound drops.
  /// - Ordering: as for ``send(_:)``. An event that a callback sends waits until the last of the events has been
  ///   folded.
  /// - Concurrency: may be called from any thread, as ``send(_:)``. The sequence is read before the first event is
  ///   folded.
  /// - Complexity: the sum of the costs of the events.
  @inlinable
  @discardableResult
  public func send(contentsOf events: some Sequence<State.Event>) -> Bool {
    // Collected first: a sequence is user code, which must not run while the queue is owned.
    core.receive(contentsOf: Array(events), from: nil)
  }

  /// The number of items that wait while an event is being folded: events, submitted ones among them, and changes of
  /// subscriptions. A bound counts and drops events that were sent, and nothing else, so this number may be greater
  /// than the bound. To wait until all is folded, use ``drained(isolation:)``.
  ///
  /// - Complexity: O(1).
  @inlinable
  public var pendingCount: Int { core.queue.pendingCount }

  /// The number of events that the bound of the line has dropped so far.
  ///
  /// - Complexity: O(1).
  public var droppedCount: Int { core.queue.droppedCount }

  /// The present state; during a round of notifications, the snapshot of that round.
  ///
  /// `apply` is a function of `self` and the event, and does not read this. A read from inside of it cannot be
  /// answered, because the state is being changed in place and there is no copy of it: it gets the initial state, at
  /// once, and is reported once on ``diagnostics``, in every build. (A state that can throw is changed in a copy, and
  /// there the read gets the state before the event.) For this the aggregator keeps its initial state as long as it
  /// lives; begin with an empty one if that matters.
  ///
  /// - Concurrency: may be read from any thread. A read waits for an `apply` that is running on another thread, for one
  ///   more if it comes just between two, and for nothing else, however many events wait. A field of class type is
  ///   shared by all snapshots, see ``AggregateState``.
  /// - Complexity: O(1). The snapshot shares the storage of collections with the state; while the snapshot is alive,
  ///   the first event that changes one of them copies it.
  @inlinable
  public var snapshot: State { core.snapshot() }

  /// Ends the aggregator after all events that were accepted: sources are cancelled and subscribers are finished. The
  /// snapshot stays readable.
  ///
  /// - Returns: `false` if it had finished before.
  /// - Complexity: O(n log n), n being the number of sources and subscribers.
  @discardableResult
  public func finish() -> Bool {
    core.finish()
  }

  /// Ends the aggregator, and says what becomes of the events that wait.
  ///
  /// - Parameter isDropping: whether the events that wait are dropped, so that the end comes right behind the event
  ///   that is being folded. ``droppedCount`` counts them. What was submitted is folded all the same.
  /// - Returns: `false` if it had finished before.
  /// - Complexity: as for ``finish()``, and O(events that are dropped).
  @discardableResult
  public func finish(droppingPending isDropping: Bool) -> Bool {
    core.finish(droppingPending: isDropping)
  }
}
