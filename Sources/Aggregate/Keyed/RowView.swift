import Streams

/// What a view over many rows keeps, and how it looks at a row that changes. It belongs to the owner of the shard's queue.
@usableFromInline
protocol RowTracker<Key, State, Element>: Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype State: AggregateState
  associatedtype Element: Sendable

  /// Is `true` if it calls code of the user when it looks at a row.
  var runsUserCode: Bool { get }

  /// Looks at a row that will change. It has no state if it is about to be made.
  mutating func willChange(_ row: RowReference<Key, State>)

  /// Looks at a row that has changed. It has no state if it was removed.
  ///
  /// - Returns: what the subscribers get; `nil` if they are not concerned.
  mutating func didChange(_ row: RowReference<Key, State>) -> Element?

  /// Drops what was kept of a row that would have changed, but has refused its event.
  mutating func forget()

  /// Sends a newcomer what it gets at once.
  func greet(_ rows: borrowing RowTable<Key, State>, _ send: (Element) -> Void)
}

/// A view over the rows of one shard, shared by all subscribers to one stream. It works while it has subscribers.
///
/// Safe to share: the tracker and the group belong to the owner of the shard's queue, and nothing else changes.
@usableFromInline
final class RowView<Tracker: RowTracker>: Sendable {
  @usableFromInline typealias Shard = KeyedShard<Tracker.Key, Tracker.State>
  @usableFromInline typealias Watch = RowWatcher<Tracker.Key, Tracker.State>.Watch
  @usableFromInline typealias MakeTracker = @Sendable (borrowing RowTable<Tracker.Key, Tracker.State>) -> Tracker

  private let shard: Shard
  @usableFromInline let group: StreamGroup<Tracker.Element>
  @usableFromInline let tracker = QueueIsolated<Tracker?>(nil)
  private let makeTracker: MakeTracker
  private let watch: Watch

  /// - Parameter makeTracker: makes what the view keeps, from all rows, when the first subscriber has come.
  @inlinable
  convenience init(of shard: Shard, _ makeTracker: @escaping MakeTracker) {
    // Made here, where the types are known, so that it is specialised.
    self.init(of: shard, makeTracker, StreamGroup()) { view, moment, row, access in
      view._withUnsafeGuaranteedRef { unsafeDowncast($0, to: RowView.self).look(moment, row, access) }
    }
  }

  @usableFromInline
  init(
    of shard: Shard,
    _ makeTracker: @escaping MakeTracker,
    _ group: StreamGroup<Tracker.Element>,
    watch: @escaping Watch
  ) {
    self.shard = shard
    self.makeTracker = makeTracker
    self.group = group
    self.watch = watch
  }

  @inlinable
  @inline(__always)
  func look(
    _ moment: RowMoment,
    _ row: RowReference<Tracker.Key, Tracker.State>,
    _ access: QueueAccess
  ) -> Bool {
    switch moment {
    case .before: tracker[access]?.willChange(row)
    case .after:
      guard let element = tracker[access]?.didChange(row) else { return false }
      group.contents[access].element = element
      return true
    case .refused: tracker[access]?.forget()
    case .over: group.contents[access].element = nil
    }
    return false
  }

  /// Subscribes an observer.
  @usableFromInline
  func attach(_ observer: Observer<Tracker.Element, Never>) {
    shard.attach(observer) { [self] shell, access in
      if tracker[access] == nil {
        let made = makeTracker(shell.table.pointee)
        let runsUserCode = made.runsUserCode
        tracker[access] = made
        shell.watchers[access].append(RowWatcher(self, telling: group, runsUserCode: runsUserCode, watch: watch))
      }
      return group
    } first: { [self] shell, access in
      (tracker[access] ?? makeTracker(shell.table.pointee)).greet(shell.table.pointee, observer.send)
    } left: { [self] shell, access in
      guard group.isEmpty else { return nil }
      shell.watchers[access].remove(self)
      return tracker[access].take()
    }
  }

  var observable: Observable<Tracker.Element, Never> {
    Observable(attach: { self.attach($0) })
  }

  /// What a newcomer would get; `nil` if it cannot be read now.
  var current: Tracker.Element? {
    // Looked at in a copy: conditions are code of the user, which must not run while the owner of the queue waits.
    guard let states = shard.read({ $0.states }) else { return nil }
    let rows = RowTable(states)
    var element: Tracker.Element?
    makeTracker(rows).greet(rows) { element = $0 }
    return element
  }
}
