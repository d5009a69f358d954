import Aggregate
import RASPSupport
import Streams
import Synchronization

/// The running part of one shard of a keyed aggregator: one delivery queue in front of its rows.
///
/// Safe to share: every property is safe by itself and does not change.
@usableFromInline
final class KeyedShard<Key: Hashable & Sendable, State: AggregateState>: SelectionTreeOwner {
  @usableFromInline let queue: DeliveryQueue<KeyedShell<Key, State>>
  @usableFromInline let store: RowStore<Key, State>
  @usableFromInline let reports: Reports<State>
  @usableFromInline let place: TreePlace
  /// Whether a look for idle rows waits in the line.
  @usableFromInline let isSweeping = Atomic<Bool>(false)

  init(
    makeRow: @escaping @Sendable (Key) -> State,
    _ options: KeyedOptions,
    _ reports: Reports<State>,
    _ sources: SourceList
  ) {
    store = RowStore(evicting: options.evicting)
    self.reports = reports
    queue = DeliveryQueue(
      KeyedShell(store, makeRow: makeRow, reports, sources),
      buffering: options.buffering,
      onAlarm: reports.hubs.diagnose
    )
    place = TreePlace(queue, withUnsafeMutablePointer(to: &queue.address.pointee.tree) { $0 })
  }

  // MARK: Events

  @inlinable
  @inline(__always)
  func receive(_ event: State.Event, for key: Key, from source: SourceID?) -> Bool {
    #if DEBUG
      reportIfApplying()
    #endif
    // A source that sends has not been removed, so there is nothing to look up if the event need not wait.
    return queue.send(RowEvent(event: event, key: key, source: source)) { shell, access in
      shell.receive(event, for: key, access)
    }
  }

  /// Folds events with nothing between them.
  ///
  /// - Parameters:
  ///   - order: the indices of the events that belong to this shard.
  ///   - source: where they come from.
  ///   - key: returns the key of an event. It runs in front of the gate, because it is code of the user.
  @inlinable
  @inline(__always)
  func receive(
    _ order: some Collection<Int>,
    of events: [State.Event],
    from source: SourceID?,
    key: (Int) -> Key
  ) -> Bool {
    #if DEBUG
      reportIfApplying()
    #endif
    return queue.send(
      contentsOf: order.map { RowEvent(event: events[$0], key: key($0), source: source) }
    ) { shell, access in
      for index in order { shell.receive(events[index], for: key(index), access) }
    }
  }

  #if DEBUG
    @usableFromInline
    func reportIfApplying() {
      guard queue.isOwnedByThisThread, store.folding.isApplying.load(ordering: .relaxed) else { return }
      report(.sentDuringApply)
    }
  #endif

  /// Removes a row, behind everything that was accepted.
  @inlinable
  func remove(_ key: Key) {
    queue.run { shell, access in
      shell.remove(key, access)
    } orLater: {
      { shell, access in shell.remove(key, access) }
    }
  }

  /// Puts rows in, behind everything that was accepted.
  @inlinable
  func put(_ rows: [(key: Key, state: State)]) {
    queue.run { shell, access in
      guard !shell.tree.hasEnded else { return }
      for (key, state) in rows { shell.put(state, for: key, access) }
    }
  }

  // MARK: Reading

  /// Reads the rows on any thread; `nil` if this thread is inside `apply`, in place.
  @inlinable
  @inline(__always)
  func read<Copy>(_ copy: (RowStore<Key, State>) -> Copy) -> Copy? {
    if let copy = store.folding.gate.read({ copy(store) }) { return copy }
    if !reports.hubs.hasToldOfRead { report(.readDuringApply) }
    return nil
  }

  /// The state of a row on any thread; `nil` if there is no such row.
  @inlinable
  func state(of key: Key) -> State? {
    read { $0.state(of: key) } ?? nil
  }

  /// A stored property of a row on any thread; `nil` if there is no such row.
  @inlinable
  func field<Field: Sendable>(at offset: Int, in key: Key) -> Field? {
    read { store in
      guard let row = store.rows[key], row.hasState else { return nil }
      return row.presentState.property(at: offset, as: Field.self).pointee
    } ?? nil
  }

  // MARK: Time

  /// Gives up the rows that have been idle for too long, behind what waits in the line now.
  @inlinable
  func evictIdleRows(on scheduler: any Scheduler) {
    if isSweeping.exchange(true, ordering: .relaxed) { return }
    let asked = scheduler.now
    queue.run { shell, access in
      self.isSweeping.store(false, ordering: .relaxed)
      guard !shell.tree.hasEnded else { return }
      shell.evictIdle(at: scheduler.now, askedAt: asked, access)
    }
  }

  @usableFromInline
  func report(_ diagnostic: AggregatorDiagnostic) {
    queue.run { shell, _ in shell.reports.hubs.diagnose(diagnostic) }
  }
}
