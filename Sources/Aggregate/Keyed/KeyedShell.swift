import Streams
import Synchronization

/// What the queue of one shard protects, and the handling of one event: one fold into one row, one round.
///
/// ```
///   event, key ──▶ row ──▶ fold ──▶ its selections, the views over all rows ──▶ tell the subscribers concerned,
///              (RowTable)          (SelectionBranch)  (RowWatcherList)         in the order of subscription (Round)
/// ```
@usableFromInline
struct KeyedShell<Key: Hashable & Sendable, State: AggregateState>: ~Copyable, DeliveryShell {
  @usableFromInline typealias Value = RowEvent<Key, State.Event>
  @usableFromInline typealias Reference = RowReference<Key, State>

  /// Other threads copy the rows.
  @inlinable
  static var isShared: Bool { true }

  /// Keeps the table alive.
  let store: RowStore<Key, State>
  @usableFromInline let table: UnsafeMutablePointer<RowTable<Key, State>>
  @usableFromInline let phase: UnsafeMutablePointer<Atomic<UInt8>>
  let makeRow: @Sendable (Key) -> State
  let reports: Reports<State>
  @usableFromInline let sources: SourceList
  /// Its branch at the top stays empty: each row has one.
  @usableFromInline var tree: SelectionTree
  @usableFromInline let watchers = QueueIsolated(RowWatcherList<Key, State>())
  /// The number of the last event.
  @usableFromInline var lastStamp: UInt64 = 0
  /// Is `true` once `events` or `changes` has had a subscriber.
  @usableFromInline var hasStreams = false
  @usableFromInline var streams = RowStreams<Key, State>()

  init(
    _ store: RowStore<Key, State>,
    makeRow: @escaping @Sendable (Key) -> State,
    _ reports: Reports<State>,
    _ sources: SourceList
  ) {
    self.store = store
    table = store.table
    phase = store.phase
    self.makeRow = makeRow
    self.reports = reports
    self.sources = sources
    tree = SelectionTree(root: UnsafeRawPointer(store.table))
  }

  // MARK: Events

  @inlinable
  @inline(__always)
  mutating func deliver(_ incoming: Value, _ access: QueueAccess) {
    if let source = incoming.source, sources.isRemoved(source) { return }
    receive(incoming.event, for: incoming.key, access)
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ event: State.Event, for key: HashedKey<Key>, _ access: QueueAccess) {
    do throws(State.Rejection) { try fold(event, for: key, access) } catch {}
  }

  /// Folds an event into its row and tells the subscribers it concerns; a refusal is reported and thrown.
  ///
  /// - Parameter isSubmitted: whether the sender learns of a refusal.
  @inlinable
  @inline(__always)
  mutating func fold(
    _ event: State.Event,
    for key: HashedKey<Key>,
    isSubmitted: Bool = false,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    if hasStreams { streams.note(event, in: &tree.round, access) }
    do throws(State.Rejection) {
      guard let row = table.pointee.row(of: key), row.hasState else { return try insert(key, event, access) }
      if !watchers[access].isEmpty {
        if watchers[access].runsUserCode { access.lend() }
        watchers[access].tell(.before, row, access)
      }
      try fold(event, into: row, access)
      noteStamp(of: row)
      noteChanges(of: row, access)
      if hasStreams { streams.noteUpdate(of: row, in: &tree.round, access) }
      endRound(of: row, access)
    } catch {
      refuse(event, of: key, error, isSubmitted: isSubmitted, access)
      throw error
    }
  }

  /// Folds an event into a row: in place, or into a copy if the row may refuse it. The table is lent when this returns.
  @inlinable
  @inline(__always)
  func fold(_ event: State.Event, into row: Reference, _ access: QueueAccess) throws(State.Rejection) {
    if State.Rejection.self == Never.self {
      access.claim()
      phase.pointee.store(StateReference<State>.changing, ordering: .relaxed)
      do throws(State.Rejection) { _ = try row.pointer.pointee.state?.apply(event) } catch {}
      phase.pointee.store(StateReference<State>.settled, ordering: .relaxed)
      access.lend()
    } else {
      access.lend()
      var changed = row.pointer.pointee.state
      do {
        phase.pointee.store(StateReference<State>.applying, ordering: .relaxed)
        defer { phase.pointee.store(StateReference<State>.settled, ordering: .relaxed) }
        _ = try changed?.apply(event)
      }
      access.claim()
      swap(&changed, &row.pointer.pointee.state)
      access.lend()
      // What was there is released here, where other threads may read.
      _ = consume changed
    }
  }

  /// Makes a row by its first event. If the row refuses the event, there is no row.
  @usableFromInline
  mutating func insert(
    _ key: HashedKey<Key>,
    _ event: State.Event,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    access.lend()
    var state = makeRow(key.key)
    do {
      phase.pointee.store(StateReference<State>.applying, ordering: .relaxed)
      defer { phase.pointee.store(StateReference<State>.settled, ordering: .relaxed) }
      try state.apply(event)
    }
    put(state, for: key, access)
  }

  /// Puts a row in, in the place of the one that is there.
  mutating func put(_ state: State, for key: HashedKey<Key>, _ access: QueueAccess) {
    access.claim()
    store.removeIdle(access)
    let row = table.pointee.rowOrNew(of: key)
    access.lend()
    watchers[access].tell(.before, row, access)
    access.claim()
    let replaced = table.pointee.setState(state, of: row)
    access.lend()
    noteStamp(of: row)
    noteChanges(of: row, access)
    if hasStreams {
      if replaced == nil {
        streams.note(.inserted(key.key, state), in: &tree.round, access)
      } else {
        streams.noteUpdate(of: row, in: &tree.round, access)
      }
    }
    endRound(of: row, access)
    guard replaced == nil else { return }
    store.eviction[access].noteMayGo(row)
    evict(access)
  }

  /// Removes a row; its subscribers get `nil`.
  mutating func remove(_ row: Reference, _ reason: RowRemoval, _ access: QueueAccess) {
    access.lend()
    watchers[access].tell(.before, row, access)
    access.claim()
    let state = table.pointee.takeState(of: row)
    access.lend()
    noteChanges(of: row, access)
    if hasStreams {
      streams.note(.removed(row.pointer.pointee.key, last: state, reason), in: &tree.round, access)
    }
    endRound(of: row, access)
    access.claim()
    table.pointee.removeIfEmpty(row)
    access.lend()
  }

  /// Removes the rows that the plan does not keep.
  mutating func evict(_ access: QueueAccess) {
    while let row = store.eviction[access].next(in: table.pointee) { remove(row, .beyondLimit, access) }
  }

  // MARK: Rounds

  @inlinable
  @inline(__always)
  mutating func noteStamp(of row: Reference) {
    lastStamp += 1
    row.pointer.pointee.stamp = lastStamp
  }

  @inlinable
  @inline(__always)
  mutating func noteChanges(of row: Reference, _ access: QueueAccess) {
    row.pointer.pointee.selections.update(from: row.stateAddress, &tree.round, access)
    // By its address: the list is not a part of the shell, which is being changed here.
    let watchers = watchers.pointer
    watchers.pointee.noteChanges(of: row, in: &tree.round, access)
  }

  /// Tells the subscribers concerned.
  @inlinable
  @inline(__always)
  mutating func endRound(of row: Reference, _ access: QueueAccess) {
    tree.round.notify(access)
    watchers[access].tell(.over, row, access)
    if hasStreams { streams.forgetElements(access) }
  }

  // MARK: Streams

  /// The subscribers to all events.
  mutating func eventGroup() -> StreamGroup<State.Event> {
    hasStreams = true
    return streams.eventGroup()
  }

  /// The subscribers to the changes of all rows.
  mutating func changeGroup() -> StreamGroup<RowChange<Key, State>> {
    hasStreams = true
    return streams.changeGroup()
  }

  @usableFromInline
  mutating func refuse(
    _ event: State.Event,
    of key: HashedKey<Key>,
    _ reason: State.Rejection,
    isSubmitted: Bool,
    _ access: QueueAccess
  ) {
    if let row = table.pointee.row(of: key) { watchers[access].tell(.refused, row, access) }
    tree.round.notify(access)
    streams.forgetElements(access)
    reports.reject(event, reason, isSubmitted: isSubmitted)
  }
}
