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
    let selector = StateSelector<State, Moment>({ _ in Moment() })
    read = { core.snapshot() }
    // No event is folded while this thread copies, so it is the state of the moment at which nothing was delivered.
    readIfIdle = { core.read { core.queue.isIdle ? $0.pointee : nil } }
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
        enter: { tree, access in tree.branch.enter(selector, from: core.state.pointer, below: nil, of: core) },
        areEquivalent: { _, _ in false }
      ).observable
  }

  /// A view of something else: what each of its members calls.
  @inlinable
  package init(
    read: @escaping @Sendable () -> State,
    readIfIdle: @escaping @Sendable () -> State?,
    receive: @escaping @Sendable (State.Event) -> Bool,
    enterLine: @escaping @Sendable (_ body: @escaping @Sendable (State) -> Void) -> Void,
    moments: Observable<Moment, Never>
  ) {
    self.read = read
    self.readIfIdle = readIfIdle
    self.receive = receive
    self.enterLine = enterLine
    self.moments = moments
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
package struct Moment: Sendable {
  @inlinable package init() {}
}
