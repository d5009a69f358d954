import Streams

/// A way to an aggregator for another module of the package. It does not keep the aggregator alive, and it can be read
/// when the aggregator has been released.
///
/// Safe to share: the core is.
package struct AggregatorView<State: AggregateState>: Sendable {
  private let core: AggregatorCore<State>

  package init(_ aggregator: Aggregator<State>) {
    core = aggregator.core
  }

  /// The present state, as ``Aggregator/snapshot``.
  package var snapshot: State { core.snapshot() }

  /// Sends an event, as ``Aggregator/send(_:)``.
  package func send(_ event: State.Event) -> Bool {
    core.receive(event, from: nil)
  }

  /// Calls `body` with the state between two events: behind everything that was accepted before this call, and before
  /// everything that comes later. It is called at once if nothing is being delivered, otherwise by the thread that
  /// delivers. An aggregator that has finished still calls it.
  ///
  /// - Parameter body: runs no user code.
  package func inLine(_ body: @escaping @Sendable (State) -> Void) {
    let state = core.state
    core.queue.run { [core] _, access in
      access.lend()
      // The state belongs to the core, which must live until here.
      withExtendedLifetime(core) { body(state.contents.pointee.state) }
    }
  }

  /// Calls `body` after each event that was folded, in the round of the event, and once when it is called. The state is
  /// not copied for this.
  package func afterEachEvent(_ body: @escaping @Sendable () -> Void) -> Subscription {
    let moments = StateSelector<State, Moment> { _ in Moment() }
    return Selection<Moment>(
      owner: core,
      read: { Moment() },
      enter: { [core] tree, access in
        tree.branch.enter(moments, from: tree.root, below: nil, of: core)
      },
      areEquivalent: { _, _ in false }
    )
    .subscribe { _ in
      body()
    } onEnd: { _ in
      body()
    }
  }
}

/// The field of a selection whose subscribers are told of every event.
private struct Moment: Sendable {}
