import Aggregate
import Streams
import Synchronization

/// What a view over many rows keeps, and how it looks at a row that changes. It belongs to the owner of the shard's
/// queue.
@usableFromInline
protocol RowTracker<Key, State, Element>: Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype State: AggregateState
  /// What the subscribers get.
  associatedtype Element: Sendable
  /// What is remembered of a row while it changes.
  associatedtype Look: Sendable

  /// Looks at a row that will change. It has no state if it is about to be made. A tracker that may be changed is used
  /// where it is, and not copied.
  mutating func look(at row: KeyedRow<Key, State>) -> Look

  /// Looks at a row that has changed. It has no state if it was removed.
  ///
  /// - Parameter old: what was seen of the row before.
  /// - Returns: what the subscribers get; `nil` if they are not concerned.
  mutating func didChange(_ row: KeyedRow<Key, State>, from old: Look) -> Element?

  /// Sends a newcomer what it gets at once.
  func sendFirst(_ store: RowStore<Key, State>, _ send: (Element) -> Void)

  /// The present value. Other threads call it, so it copies and does nothing else.
  var answer: Element? { get }

  /// Is `false` if there is no present value, and `answer` is `nil`.
  static var hasAnswer: Bool { get }
}

extension RowTracker {
  @inlinable
  func sendFirst(_ store: RowStore<Key, State>, _ send: (Element) -> Void) {
    if let answer { send(answer) }
  }

  @inlinable static var hasAnswer: Bool { true }
}

/// A view over the rows of one shard, shared by all subscribers to one stream. It works while it has subscribers.
///
/// ```
///   owner:    gate [ begin ]   look at the row   fold   look at the row   end    notify …
///   readers:                   ask the rows      …      ask the rows      copy   copy
/// ```
///
/// It calls code of the user when it looks at a row, and no reader waits for that. So a reader that comes meanwhile
/// takes a copy of the rows, and finds the answer in them by itself.
///
/// Safe to share: the group and what was seen belong to the owner of the shard's queue, and so does the tracker while
/// `isLooking` is `true`, which begins behind the gate of the rows; otherwise threads that read behind the gate may ask
/// it. Nothing else changes.
@usableFromInline
final class RowView<Tracker: RowTracker>: Sendable {
  @usableFromInline typealias Shard = KeyedShard<Tracker.Key, Tracker.State>
  @usableFromInline typealias Row = KeyedRow<Tracker.Key, Tracker.State>
  @usableFromInline typealias Store = RowStore<Tracker.Key, Tracker.State>

  @usableFromInline let shard: Shard
  @usableFromInline let group: StreamGroup<Tracker.Element>
  @usableFromInline let tracker = QueueIsolated<Tracker?>(nil)
  /// What was seen of the row that is being changed.
  @usableFromInline let seen = QueueIsolated<Tracker.Look?>(nil)
  /// Whether the tracker may be behind the rows, or is being changed.
  @usableFromInline let isLooking = Atomic<Bool>(false)
  @usableFromInline let makeTracker: @Sendable (Store) -> Tracker

  /// - Parameter makeTracker: makes what the view keeps, from all rows, when the first subscriber has come.
  @inlinable
  init(of shard: Shard, _ makeTracker: @escaping @Sendable (Store) -> Tracker) {
    self.shard = shard
    self.makeTracker = makeTracker
    group = StreamGroup()
  }

  @inlinable
  @inline(__always)
  func look(_ moment: RowMoment, _ row: Row, _ access: QueueAccess) -> Bool {
    switch moment {
    case .before:
      if Tracker.hasAnswer { shard.store.change { isLooking.store(true, ordering: .relaxed) } }
      seen[access] = tracker[access]?.look(at: row)
    case .after:
      // What is kept of a row makes the next event copy the collection that it is.
      let old = seen[access].take()
      let element = old.flatMap { tracker[access]?.didChange(row, from: $0) }
      isLooking.store(false, ordering: .releasing)
      guard let element else { return false }
      group.element[access] = element
      return true
    case .refused:
      seen[access] = nil
      isLooking.store(false, ordering: .releasing)
    }
    return false
  }

  /// Subscribes an observer.
  @inlinable
  func attach(_ observer: Observer<Tracker.Element, Never>) {
    shard.queue.attach(observer) { [self] shell, access in
      if tracker[access] == nil { begin(&shell, access) }
      return group
    } leave: { [self] shell, access in
      guard group.isEmpty else { return nil }
      shell.watchers[access].remove(telling: group)
      return shard.store.change { tracker[access].take() }
    } first: { [self] shell, access in
      (tracker[access] ?? makeTracker(shell.store)).sendFirst(shell.store, observer.send)
    }
  }

  /// Begins to look at each row that changes.
  @inlinable
  func begin(_ shell: inout KeyedShell<Tracker.Key, Tracker.State>, _ access: QueueAccess) {
    let made = makeTracker(shell.store)
    shard.store.change { tracker[access] = made }
    // The closure is made here, where the types are known, so that it is specialised.
    shell.watchers[access].append(
      RowWatcher(telling: group) { [self] moment, row, access in
        look(moment, unsafeDowncast(row, to: Row.self), access)
      }
    )
  }

  @inlinable
  var observable: Observable<Tracker.Element, Never> {
    Observable(attach: { self.attach($0) })
  }

  /// The present value; `nil` if this thread is inside `apply`, in place.
  ///
  /// - Parameter find: finds it in all states, if there are no subscribers for which it is kept, or while the owner
  ///   looks at a row. It gets a copy: conditions are code of the user, which must not run while the owner of the queue
  ///   waits.
  /// - Complexity: that of copying the answer; O(rows) without subscribers.
  @inlinable
  func answer(orFind find: (Store.States) -> Tracker.Element) -> Tracker.Element? {
    var states: Store.States = []
    let answer = shard.read { store -> Tracker.Element? in
      if !isLooking.load(ordering: .acquiring), let answer = tracker.pointer.pointee?.answer { return answer }
      states = store.states
      return nil
    }
    return answer.map { $0 ?? find(states) }
  }
}
