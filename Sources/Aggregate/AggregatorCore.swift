import Streams

/// The running part of an aggregator: one delivery queue in front of one state, and the sources that feed it.
///
/// The ``Aggregator`` owns it. Sources, subscriptions and selections hold the core, so none of them keeps the
/// aggregator alive.
///
/// Safe to share: every property is safe by itself and does not change.
@usableFromInline
final class AggregatorCore<State: AggregateState>: SelectionTreeOwner {
  @usableFromInline let queue: DeliveryQueue<AggregatorShell<State>>
  @usableFromInline let state: StateReference<State>
  @usableFromInline let reports: Reports<State>
  @usableFromInline let sources: SourceList
  @usableFromInline let sharedTape = Lock(SharedTape<TapeCell<State>>())

  @inlinable
  init(initial: State, buffering policy: BufferingPolicy, origin: SourceLocation) {
    let cell = StateCell(initial)
    // The queue keeps the cell alive.
    state = cell.reference
    reports = Reports(origin: origin)
    sources = SourceList()
    queue = DeliveryQueue(AggregatorShell(cell, reports, sources), buffering: policy)
  }

  // MARK: Events

  @inlinable
  @inline(__always)
  func receive(_ event: State.Event, from source: SourceID?) -> Bool {
    #if DEBUG
      reportIfApplying()
    #endif
    // A source that sends has not been removed, so there is nothing to look up if the event need not wait.
    return queue.send(Incoming(event: event, source: source)) { shell, access in
      shell.receive(event, from: source, access)
    }
  }

  @inlinable
  func receive(contentsOf events: [State.Event]) -> Bool {
    #if DEBUG
      reportIfApplying()
    #endif
    return queue.send(contentsOf: events.map { Incoming(event: $0, source: nil) })
  }

  #if DEBUG
    @usableFromInline
    func reportIfApplying() {
      guard queue.isOwnedByThisThread,
        state.contents.pointee.phase.load(ordering: .relaxed) != StateReference<State>.settled
      else { return }
      report(.sentDuringApply)
    }
  #endif

  /// The state for any thread.
  @usableFromInline
  func snapshot() -> State {
    let copy = queue.read {
      state.contents.pointee.phase.load(ordering: .relaxed) == StateReference<State>.changing
    } _: {
      state.contents.pointee.state
    }
    if let copy { return copy }
    #if DEBUG
      report(.readDuringApply)
    #endif
    return state.contents.pointee.initial
  }

  // MARK: Subscribers

  @usableFromInline
  func changeTree(_ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> Void) {
    queue.run { shell, access in
      access.lend()
      change(&shell.tree, access)
    }
  }

  @usableFromInline
  func maintainTree(_ change: @escaping @Sendable (inout SelectionTree, QueueAccess) -> [any Sendable]) {
    queue.maintain { shell, access in change(&shell.tree, access) }
  }

  /// Subscribes an observer to all states or to all events.
  ///
  /// - Parameters:
  ///   - group: returns the group.
  ///   - first: returns the first element for a newcomer; `nil` for none.
  func attach<Element: Sendable>(
    _ observer: Observer<Element, Never>,
    to group: @escaping @Sendable (inout AggregatorShell<State>) -> StreamGroup<Element>,
    first: @escaping @Sendable () -> Element?
  ) {
    queue.run { shell, access in
      access.lend()
      if shell.tree.hasEnded {
        if let first = first() { observer.send(first) }
        return observer.end(.finished)
      }
      guard observer.lifetime.isActive else { return }
      let group = group(&shell)
      shell.tree.add(observer, to: &group.contents[access].observers, of: group)
      observer.lifetime.onTermination {
        self.maintainTree { tree, access in
          [tree.remove(observer, from: &group.contents[access].observers, of: group)]
        }
      }
      if let first = first() { observer.send(first) }
    }
  }

  // MARK: End

  func finish() -> Bool {
    queue.close { shell, access in
      access.lend()
      self.sources.finish()
      shell.tree.finish(access)
      shell.reports.finish()
    }
  }

  /// Reports after the present delivery: the mistake may have been made inside `apply`, where a report that reads or
  /// sends would be the next mistake.
  @usableFromInline
  func report(_ diagnostic: AggregatorDiagnostic) {
    queue.run { shell, access in
      access.lend()
      shell.reports.diagnose(diagnostic)
    }
  }
}

extension AggregatorCore: SourceFollower {
  @usableFromInline typealias Event = State.Event

  @usableFromInline var isDelivering: Bool { queue.isOwnedByThisThread }
  @usableFromInline var health: HealthList { reports.hubs.health }

  @usableFromInline
  func behindAllEvents(_ action: @escaping @Sendable () -> Void) {
    queue.run { _, access in
      access.lend()
      action()
    }
  }

  @usableFromInline
  func maintainBehindAllEvents(_ action: @escaping @Sendable () -> Void) {
    queue.maintain { _, _ in action() }
  }

  @usableFromInline
  func sourceFailed(_ source: SourceID, _ error: any Error) {
    reports.sourceFailed(source, error)
  }
}
