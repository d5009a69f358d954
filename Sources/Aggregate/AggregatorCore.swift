import RASPSupport
import Streams
import Synchronization

/// The running part of an aggregator: one delivery queue in front of one state, and the sources that feed it.
///
/// The ``Aggregator`` owns it. Sources, subscriptions and selections hold the core, so none of them keeps the
/// aggregator alive.
///
/// Safe to share: every property is safe by itself and does not change.
@usableFromInline
package final class AggregatorCore<State: AggregateState>: SelectionTreeOwner {
  @usableFromInline let queue: DeliveryQueue<AggregatorShell<State>>
  @usableFromInline let state: StateReference<State>
  @usableFromInline package let reports: Reports<State>
  @usableFromInline package let sources: SourceList
  @usableFromInline package let place: TreePlace
  @usableFromInline package let recording = Lock(RecordingUse<RecordingHook<State.Event, State.Event?>>())

  @inlinable
  init(initial: State, buffering policy: BufferingPolicy) {
    let cell = StateCell(initial)
    // The queue keeps the cell alive.
    state = cell.reference
    reports = Reports()
    sources = SourceList()
    queue = DeliveryQueue(
      AggregatorShell(cell, reports, sources),
      buffering: policy,
      onAlarm: reports.hubs.diagnose
    )
    place = TreePlace(queue, withUnsafeMutablePointer(to: &queue.address.pointee.tree) { $0 })
  }

  // MARK: Events

  @inlinable
  @inline(__always)
  package func receive(_ event: State.Event, from source: SourceID?) -> Bool {
    #if DEBUG
      reportIfApplying()
    #endif
    // A source that sends has not been removed, so there is nothing to look up if the event need not wait.
    return queue.send(Incoming(event: event, source: source)) { shell, access in
      shell.receive(event, from: source, access)
    }
  }

  @inlinable
  @inline(__always)
  package func receive(contentsOf events: [State.Event], from source: SourceID?) -> Bool {
    #if DEBUG
      reportIfApplying()
    #endif
    return queue.send(contentsOf: events.map { Incoming(event: $0, source: source) }) { shell, access in
      for event in events { shell.receive(event, from: source, access) }
    }
  }

  #if DEBUG
    @usableFromInline
    func reportIfApplying() {
      guard queue.isOwnedByThisThread,
        state.contents.pointee.folding.isApplying.load(ordering: .relaxed)
      else { return }
      report(.sentDuringApply)
    }
  #endif

  // MARK: Reading

  /// The state for any thread.
  @inlinable
  package func snapshot() -> State {
    read { $0.pointee }
  }

  /// The state for any thread, with the number of events that were folded into it.
  func countedSnapshot() -> (state: State, count: Int) {
    read { (state: $0.pointee, count: state.contents.pointee.folding.foldCount.load(ordering: .relaxed)) }
  }

  /// Returns what reads the field of a selector in the state, for any thread. A stored property is copied by itself,
  /// where it is; other selectors are code of the user, which gets a copy of the state.
  @inlinable
  @inline(__always)
  func reader<Field: Sendable>(of selector: StateSelector<State, Field>) -> @Sendable () -> Field {
    let read = selector.read
    if selector.offset != nil { return { self.read(read) } }
    return { withUnsafePointer(to: self.snapshot(), read) }
  }

  /// Copies something of the state, for any thread.
  ///
  /// - Parameter copy: copies, and does nothing else.
  @inlinable
  @inline(__always)
  func read<Copy>(_ copy: (UnsafePointer<State>) -> Copy) -> Copy {
    state.contents.pointee.folding.gate.read { copy(state.pointer) } ?? readInsideApply(copy)
  }

  @inlinable
  @inline(never)
  func readInsideApply<Copy>(_ copy: (UnsafePointer<State>) -> Copy) -> Copy {
    if !reports.hubs.hasToldOfRead { report(.readDuringApply) }
    return copy(state.initial)
  }

  // MARK: Subscribers

  /// Subscribes an observer to each event.
  ///
  /// Inlinable, so that what is called for each event is specialised where the state is known.
  ///
  /// - Parameter begin: gets the present state, before the first event.
  @inlinable
  func attach(
    _ observer: Observer<Step<State>, Never>,
    begin: @escaping @Sendable (UnsafePointer<State>) -> Void = { _ in }
  ) {
    queue.attach(observer) { shell, _ in
      .made(in: &shell.steps)
    } first: { shell, _ in
      begin(shell.state.pointer)
    }
  }

  // MARK: End

  /// - Parameter isReleased: whether the aggregator is being released.
  func finish(droppingPending isDropping: Bool = false, isReleased: Bool = false) -> Bool {
    queue.close(droppingPending: isDropping) { shell, access in
      shell.tree.finish(shell.sources, isReleased: isReleased, shell.reports.hubs, access)
      shell.reports.finish()
    }
  }

  /// Reports after the present delivery: the mistake may have been made inside `apply`, where a report that reads or
  /// sends would be the next mistake.
  @usableFromInline
  package func report(_ diagnostic: AggregatorDiagnostic) {
    queue.run { shell, _ in shell.reports.hubs.diagnose(diagnostic) }
  }
}

extension AggregatorCore: SourceFollower {
  @usableFromInline
  package func behindAllEvents(_ action: @escaping @Sendable () -> Void) {
    place.run(action)
  }

  @usableFromInline
  package func runBehindAllEventsWithoutDelivering(_ action: @escaping @Sendable () -> Void) {
    queue.runWithoutDelivering { _, _ in action() }
  }
}
