import Streams

/// A way to a state for another module of the package: to that of an aggregator, or to a row of a keyed one. It does
/// not keep the aggregator alive, and it can be read when the aggregator has been released.
@usableFromInline
package struct AggregatorView<State: AggregateState>: Sendable {
  @usableFromInline let read: @Sendable () -> State
  @usableFromInline let readIfIdle: @Sendable () -> State?
  @usableFromInline let receive: @Sendable (State.Event) -> Bool
  @usableFromInline let enterLine: @Sendable (_ body: @escaping @Sendable (State) -> Void) -> Void
  @usableFromInline let moments: Observable<Moment, Never>

  /// A view of the state of an aggregator.
  @inlinable
  package init(_ aggregator: Aggregator<State>) {
    let core = aggregator.core
    let selector = StateSelector<State, Moment> { _ in Moment() }
    read = { core.snapshot() }
    readIfIdle = { core.queue.readIfIdle { core.state.contents.pointee.state } }
    receive = { core.receive($0, from: nil) }
    enterLine = { body in
      let state = core.state
      core.queue.run { _, access in
        // The state belongs to the core, which must live until here.
        withExtendedLifetime(core) { body(state.contents.pointee.state) }
      }
    }
    moments =
      Selection<Moment>(
        owner: core,
        read: { Moment() },
        enter: { tree, access in tree.branch.enter(selector, from: tree.root, below: nil, of: core) },
        areEquivalent: { _, _ in false }
      ).observable
  }

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
    let hashedKey = HashedKey(key)
    let keyOf = core.router.keyOf
    read = { makeState(row.current, keyOf) }
    readIfIdle = {
      let shard = row.shard
      return shard.queue.readIfIdle { makeState(shard.store.table.pointee.state(of: hashedKey), keyOf) }
    }
    receive = { core.receive($0, from: nil) }
    enterLine = { body in
      let shard = row.shard
      shard.queue.run { _, access in
        withExtendedLifetime(shard) { body(makeState(shard.store.table.pointee.state(of: hashedKey), keyOf)) }
      }
    }
    moments = row.selection(of: StateSelector { _ in Moment() }).observable.map { _ in Moment() }
  }

  /// The present state, as ``Aggregator/snapshot``.
  @inlinable
  package var snapshot: State { read() }

  /// The present state, if nothing is being delivered. It then contains everything that was accepted before; `nil` if
  /// something is being delivered, by this thread or another one.
  @inlinable
  package var settledSnapshot: State? { readIfIdle() }

  /// Sends an event, as ``Aggregator/send(_:)``.
  @inlinable
  package func send(_ event: State.Event) -> Bool {
    receive(event)
  }

  /// Calls `body` with the state between two events: behind everything that was accepted before this call, and before
  /// everything that comes later. It is called at once if nothing is being delivered, otherwise by the thread that
  /// delivers. An aggregator that has finished still calls it.
  ///
  /// - Parameter body: runs no user code.
  @inlinable
  package func inLine(_ body: @escaping @Sendable (State) -> Void) {
    enterLine(body)
  }

  /// Calls `body` after each event that was folded, in the round of the event, and once when it is called. The state is
  /// not copied for this. The view of a row calls it for events of this row, and when the row goes.
  @inlinable
  package func afterEachEvent(_ body: @escaping @Sendable () -> Void) -> Subscription {
    moments.subscribe { _ in
      body()
    } onEnd: { _ in
      body()
    }
  }
}

/// The field of a selection whose subscribers are told of every event.
@usableFromInline
struct Moment: Sendable {
  @inlinable init() {}
}
