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

  // MARK: Sources

  /// Adds sources to those there are.
  @inlinable
  func add(_ newcomers: [AnySource<State.Event>]) {
    sources.add(newcomers)
    for newcomer in newcomers { follow(newcomer) }
  }

  /// Replaces all sources by newcomers, in one step, and ends the old ones before following the new.
  @inlinable
  func replaceSources(with newcomers: [AnySource<State.Event>]) {
    sources.replace(with: newcomers)
    for newcomer in newcomers { follow(newcomer) }
  }

  /// Subscribes to a source that has been registered, unless it was removed again.
  ///
  /// Inlinable, so that the way from a source to the fold is specialised where the aggregator is made.
  @inlinable
  func follow(_ newcomer: AnySource<State.Event>) {
    let id = newcomer.id
    let membership = newcomer.membership
    guard membership.isActive else { return }
    let upstream = Lifetime(within: membership)
    let feed = Feed(id, of: self)
    watching(id) {
      newcomer.attach(upstream) { event in
        feed.receive(event)
      } _: { end in
        upstream.terminate()
        self.sourceEnded(id, end)
      } _: { acknowledgement in
        self.queue.run { _, access in
          access.lend()
          acknowledgement()
        }
      }
    }
  }

  /// Subscribes to a source whose parts may have names.
  @usableFromInline
  func watching(_ id: SourceID, _ subscribe: () -> Void) {
    MonitorScope.bind(SourceMonitor(id, of: self), subscribe)
  }

  @usableFromInline
  func sourceEnded(_ id: SourceID, _ end: StreamEnd<any Error>) {
    queue.run { shell, access in
      access.lend()
      guard self.sources.sourceEnded(id) else { return }
      if case .failed(let error) = end { shell.reports.sourceFailed(id, error) }
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

extension AggregatorCore: SourceOwner {
  var isDelivering: Bool { queue.isOwnedByThisThread }
  var health: HealthList { reports.hubs.health }
}

/// The way from one source to the aggregator, as the subscription to the source holds it.
///
/// It is released when the source can send nothing more. Then the identity of a source that was removed is forgotten,
/// behind everything of it that waits in the line.
@usableFromInline
final class Feed<State: AggregateState>: Sendable {
  @usableFromInline let core: AggregatorCore<State>
  @usableFromInline let id: SourceID

  @usableFromInline
  init(_ id: SourceID, of core: AggregatorCore<State>) {
    self.id = id
    self.core = core
  }

  deinit {
    guard core.sources.isRemoved(id) else { return }
    core.queue.maintain { [sources = core.sources, id] _, _ in sources.forgetRemoved(id) }
  }

  @inlinable
  @inline(__always)
  func receive(_ event: State.Event) {
    _ = core.receive(event, from: id)
  }
}
