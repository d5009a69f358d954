import Aggregate
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
  @usableFromInline typealias Tape = KeyedTape<Key, State>

  /// Keeps the table alive.
  @usableFromInline let store: RowStore<Key, State>
  @usableFromInline let table: UnsafePointer<RowTable<Key, State>>
  @usableFromInline let folding: UnsafeMutablePointer<FoldGate>
  @usableFromInline let plan: UnsafeMutablePointer<EvictionPlan>
  /// Is `true` if rows are given up by their age.
  @usableFromInline let keepsAges: Bool
  @usableFromInline let makeRow: @Sendable (Key) -> State
  @usableFromInline let reports: Reports<State>
  @usableFromInline let sources: SourceList
  /// Its branch at the top stays empty: each row has one.
  @usableFromInline var tree: SelectionTree
  @usableFromInline let watchers = QueueIsolated(RowWatcherList())
  /// Is `true` while there are streams or a tape.
  @usableFromInline var isWatched = false
  /// Is `true` while `events` or `changes` have subscribers.
  @usableFromInline var hasStreams = false
  @usableFromInline var streams = RowStreams<Key, State>()
  /// Is there while steps are recorded.
  @usableFromInline var tape: UnsafePointer<Tape>?
  /// Keeps the tape alive.
  @usableFromInline var tapeCell: TapeCell?

  init(
    _ store: RowStore<Key, State>,
    makeRow: @escaping @Sendable (Key) -> State,
    _ reports: Reports<State>,
    _ sources: SourceList
  ) {
    self.store = store
    table = store.table
    folding = store.folding
    plan = store.eviction.pointer
    keepsAges = plan.pointee.isNeeded
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
    if isWatched { return try foldWatched(event, for: key, isSubmitted: isSubmitted, access) }
    do throws(State.Rejection) {
      guard let row = table.pointee.row(of: key), row.hasState else {
        return try insert(key, event, nil, access)
      }
      tellBefore(row, access)
      try fold(event, into: row, access)
      noteEvent(of: row)
      noteChanges(of: row, access)
      tree.round.notify(access)
      watchers[access].tell(.over, row.pointer, access)
    } catch {
      refuse(event, of: key, error, isSubmitted: isSubmitted, access)
      throw error
    }
  }

  /// Does the same where events or changes have subscribers, or where steps are recorded.
  @inlinable
  @inline(never)
  mutating func foldWatched(
    _ event: State.Event,
    for key: HashedKey<Key>,
    isSubmitted: Bool,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    // The event has its number before it is folded: whatever the round causes carries it.
    try Tape.stamping(for: tape, access) { stamp throws(State.Rejection) in
      if hasStreams { streams.note(event, in: &tree.round, access) }
      do throws(State.Rejection) {
        guard let row = table.pointee.row(of: key), row.hasState else {
          return try insert(key, event, stamp, access)
        }
        tellBefore(row, access)
        if let stamp { try fold(event, into: row, stamp, access) } else { try fold(event, into: row, access) }
        noteEvent(of: row)
        noteChanges(of: row, access)
        if hasStreams { streams.noteUpdate(of: row, in: &tree.round, access) }
        endRound(of: row, access)
      } catch {
        refuse(event, of: key, error, isSubmitted: isSubmitted, access)
        throw error
      }
    }
  }

  @inlinable
  @inline(__always)
  func tellBefore(_ row: Reference, _ access: QueueAccess) {
    if watchers[access].isEmpty { return }
    watchers[access].tell(.before, row.pointer, access)
  }

  /// Folds an event into a row.
  @inlinable
  @inline(__always)
  func fold(_ event: State.Event, into row: Reference, _ access: QueueAccess) throws(State.Rejection) {
    try folding.pointee.fold(event, into: row.foldedState, access, prepare: {}, note: {})
  }

  // MARK: Rounds

  @inlinable
  @inline(__always)
  func noteEvent(of row: Reference) {
    if keepsAges { plan.pointee.ages.touch(row.pointer.pointee.place) }
  }

  @inlinable
  @inline(__always)
  mutating func noteChanges(of row: Reference, _ access: QueueAccess) {
    row.pointer.pointee.selections.update(from: row.stateAddress, &tree.round, access)
    // By its address: the list is not a part of the shell, which is being changed here.
    let watchers = watchers.pointer
    watchers.pointee.noteChanges(of: row.pointer, in: &tree.round, access)
  }

  /// Tells the subscribers concerned.
  @inlinable
  @inline(__always)
  mutating func endRound(of row: Reference, _ access: QueueAccess) {
    tree.round.notify(access)
    watchers[access].tell(.over, row.pointer, access)
    if hasStreams { streams.forgetElements(access) }
  }

  // MARK: Refusals

  @inlinable
  @inline(never)
  mutating func refuse(
    _ event: State.Event,
    of key: HashedKey<Key>,
    _ reason: State.Rejection,
    isSubmitted: Bool,
    _ access: QueueAccess
  ) {
    let row = table.pointee.row(of: key)
    if let row { watchers[access].tell(.refused, row.pointer, access) }
    tree.round.notify(access)
    if hasStreams { streams.forgetElements(access) }
    reports.reject(event, reason, isSubmitted: isSubmitted)
  }
}
