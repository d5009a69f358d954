import Aggregate
import Streams
import Synchronization

/// What the queue of one shard protects, and the handling of one event: one fold into one row, one round.
///
/// ```
///   event, key ──▶ row ──▶ fold ──▶ its selections, the views over all rows ──▶ tell the subscribers concerned,
///              (RowStore)          (SelectionBranch)  (RowWatcherList)         in the order of subscription (Round)
/// ```
@usableFromInline
struct KeyedShell<Key: Hashable & Sendable, State: AggregateState>: ~Copyable, FoldingShell {
  @usableFromInline typealias Value = RowEvent<Key, State.Event>
  @usableFromInline typealias Row = KeyedRow<Key, State>
  @usableFromInline typealias Hook = RecordingHook<RecordedStep<Key, State>, RowGarbage<Key, State>>

  /// They are the first property, because the thread sanitizer takes some uses of a shell for a change of what its
  /// first word points to. Only the owner uses the watchers; the rows are read by other threads.
  @usableFromInline let watchers = QueueIsolated(RowWatcherList())
  @usableFromInline let store: RowStore<Key, State>
  @usableFromInline let makeRow: @Sendable (Key) -> State
  @usableFromInline let reports: Reports<State>
  @usableFromInline let sources: SourceList
  /// Its branch at the top stays empty: each row has one.
  @usableFromInline var tree: SelectionTree
  /// Is `true` while there are streams or what records.
  @usableFromInline var isWatched = false
  /// Is `true` while `events` or `changes` have subscribers.
  @usableFromInline var hasStreams = false
  @usableFromInline var streams = RowStreams<Key, State>()
  /// Is there while steps are recorded.
  @usableFromInline var hook: Hook?

  init(
    _ store: RowStore<Key, State>,
    makeRow: @escaping @Sendable (Key) -> State,
    _ reports: Reports<State>,
    _ sources: SourceList
  ) {
    self.store = store
    self.makeRow = makeRow
    self.reports = reports
    self.sources = sources
    tree = SelectionTree(root: UnsafeRawPointer(Unmanaged.passUnretained(store).toOpaque()))
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
  mutating func receive(_ event: State.Event, for key: Key, _ access: QueueAccess) {
    do throws(State.Rejection) { try fold(event, for: key, access) } catch {}
  }

  /// Folds an event into its row and tells the subscribers it concerns; a refusal is reported and thrown.
  ///
  /// - Parameter isSubmitted: whether the sender learns of a refusal.
  @inlinable
  @inline(__always)
  mutating func fold(
    _ event: State.Event,
    for key: Key,
    isSubmitted: Bool = false,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    if isWatched { return try foldWatched(event, for: key, isSubmitted, access) }
    try fold(event, for: key, isSubmitted, isWatched: false, access)
  }

  /// Does the same where events or changes have subscribers, or where steps are recorded.
  @inlinable
  @inline(never)
  mutating func foldWatched(
    _ event: State.Event,
    for key: Key,
    _ isSubmitted: Bool,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    // The event has its number before it is folded: whatever the round causes carries it.
    try Self.numbering(by: hook, access) { () throws(State.Rejection) in
      if hasStreams { streams.note(event, in: &tree.round, access) }
      try fold(event, for: key, isSubmitted, isWatched: true, access)
    }
  }

  /// - Parameter isWatched: whether there are streams or what records.
  @inlinable
  @inline(never)
  mutating func submit(_ incoming: Value, _ access: QueueAccess) throws(State.Rejection) {
    try fold(incoming.event, for: incoming.key, isSubmitted: true, access)
  }

  @inlinable
  @inline(__always)
  mutating func fold(
    _ event: State.Event,
    for key: Key,
    _ isSubmitted: Bool,
    isWatched: Bool,
    _ access: QueueAccess
  ) throws(State.Rejection) {
    do throws(State.Rejection) {
      guard let row = store.rows[key] else { return try insert(key, nil, event, access) }
      guard row.hasState else { return try insert(key, row, event, access) }
      watchers[access].tell(.before, row, access)
      if isWatched {
        try store.folding.fold(event, into: row.presentState, access) {
          record(.event(event), of: row.key, before: row)
        }
      } else {
        try store.folding.fold(event, into: row.presentState, access) {}
      }
      store.noteEvent(of: row, access)
      noteChanges(of: row, access)
      if isWatched, hasStreams { streams.noteUpdate(of: row, in: &tree.round, access) }
      tree.round.notify(access)
    } catch {
      refuse(event, of: key, error, isSubmitted: isSubmitted, access)
      throw error
    }
  }

  // MARK: Rounds

  @usableFromInline
  mutating func noteStreams() {
    hasStreams = streams.isUsed
    isWatched = hasStreams || hook != nil
  }

  @inlinable
  @inline(__always)
  mutating func noteChanges(of row: Row, _ access: QueueAccess) {
    row.subscribers?._withUnsafeGuaranteedRef { $0.branch.update(from: row.address, &tree.round, access) }
    // By its address: the list is not a part of the shell, which is being changed here.
    let watchers = watchers.pointer
    watchers.pointee.noteChanges(of: row, in: &tree.round, access)
  }

  // MARK: Refusals

  @inlinable
  @inline(never)
  mutating func refuse(
    _ event: State.Event,
    of key: Key,
    _ reason: State.Rejection,
    isSubmitted: Bool,
    _ access: QueueAccess
  ) {
    if let row = store.rows[key] { watchers[access].tell(.refused, row, access) }
    tree.round.notify(access)
    reports.reject(event, reason, isSubmitted: isSubmitted)
  }
}

/// An event on its way to its row, and the identity of the source it came from, because that source may be removed
/// while the event waits in the line.
@usableFromInline
struct RowEvent<Key: Hashable & Sendable, Event: Sendable>: Sendable {
  @usableFromInline let event: Event
  @usableFromInline let key: Key
  @usableFromInline let source: SourceID?

  @inlinable
  init(event: Event, key: Key, source: SourceID?) {
    self.event = event
    self.key = key
    self.source = source
  }
}
