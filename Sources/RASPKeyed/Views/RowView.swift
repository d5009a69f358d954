import Aggregate
import RASPPrimitives
import Streams
import Synchronization

/// What a view over many rows keeps, and how it looks at a row that changes. It belongs to the owner of the shard's
/// queue.
@usableFromInline
protocol RowTracker<Key, State, Element>: Sendable {
  associatedtype Key: Hashable & Sendable
  associatedtype State: AggregateState
  associatedtype Element: Sendable
  /// The present value, as a reader gets it.
  associatedtype Answer: Sendable = Never

  /// Looks at a row that will change. It has no state if it is about to be made.
  mutating func willChange(_ row: KeyedRow<Key, State>)

  /// Looks at a row that has changed. It has no state if it was removed.
  ///
  /// - Returns: what the subscribers get; `nil` if they are not concerned.
  mutating func didChange(_ row: KeyedRow<Key, State>) -> Element?

  /// Drops what was kept of a row that would have changed, but has refused its event.
  mutating func forget()

  /// Sends a newcomer what it gets at once.
  func sendFirst(_ store: RowStore<Key, State>, _ send: (Element) -> Void)

  /// The present value; `nil` if it cannot be read without subscribing. Other threads call it, so it copies and does
  /// nothing else.
  var answer: Answer? { get }
}

extension RowTracker where Answer == Never {
  @inlinable var answer: Never? { nil }
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
/// Safe to share: the group belongs to the owner of the shard's queue, and so does the tracker while `isLooking` is
/// `true`, which begins behind the gate of the rows; otherwise threads that read behind the gate may ask it. Nothing
/// else changes.
@usableFromInline
final class RowView<Tracker: RowTracker>: Sendable {
  @usableFromInline typealias Shard = KeyedShard<Tracker.Key, Tracker.State>
  @usableFromInline typealias Row = KeyedRow<Tracker.Key, Tracker.State>
  @usableFromInline typealias MakeTracker = @Sendable (RowStore<Tracker.Key, Tracker.State>) -> Tracker
  @usableFromInline typealias States = [(key: Tracker.Key, number: UInt64, value: Tracker.State)]

  @usableFromInline let shard: Shard
  @usableFromInline let group: StreamGroup<Tracker.Element>
  @usableFromInline let tracker = QueueIsolated<Tracker?>(nil)
  /// Whether the owner of the queue works on the tracker.
  @usableFromInline let isLooking = Atomic<Bool>(false)
  @usableFromInline let makeTracker: MakeTracker

  /// - Parameter makeTracker: makes what the view keeps, from all rows, when the first subscriber has come.
  @inlinable
  init(of shard: Shard, _ makeTracker: @escaping MakeTracker) {
    self.shard = shard
    self.makeTracker = makeTracker
    group = StreamGroup()
  }

  @inlinable
  @inline(__always)
  func look(_ moment: RowMoment, _ row: Row, _ access: QueueAccess) -> Bool {
    switch moment {
    case .before:
      beginLooking()
      tracker[access]?.willChange(row)
    case .after:
      let element = tracker[access]?.didChange(row)
      endLooking()
      guard let element else { return false }
      group.contents[access].element = element
      return true
    case .refused:
      tracker[access]?.forget()
      endLooking()
    case .over: group.contents[access].element = nil
    }
    return false
  }

  @inlinable
  @inline(__always)
  func beginLooking() {
    if Tracker.Answer.self != Never.self { changeTracker { isLooking.store(true, ordering: .relaxed) } }
  }

  @inlinable
  @inline(__always)
  func endLooking() {
    if Tracker.Answer.self != Never.self { isLooking.store(false, ordering: .releasing) }
  }

  /// Makes a change of the tracker while no other thread asks it.
  @inlinable
  @inline(__always)
  func changeTracker<Result>(_ body: () -> Result) -> Result {
    shard.store.change(body)
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
      return changeTracker { tracker[access].take() }
    } first: { [self] shell, access in
      (tracker[access] ?? makeTracker(shell.store)).sendFirst(shell.store, observer.send)
    }
  }

  /// Begins to look at each row that changes.
  @inlinable
  func begin(_ shell: inout KeyedShell<Tracker.Key, Tracker.State>, _ access: QueueAccess) {
    let made = makeTracker(shell.store)
    changeTracker { tracker[access] = made }
    // The closure is made here, where the types are known, so that it is specialised.
    shell.watchers[access].append(
      RowWatcher(self, telling: group) { view, moment, row, access in
        view._withUnsafeGuaranteedRef { view in
          unsafeDowncast(view, to: RowView.self).look(moment, unsafeDowncast(row, to: Row.self), access)
        }
      }
    )
  }

  @inlinable
  var observable: Observable<Tracker.Element, Never> {
    Observable(attach: { self.attach($0) })
  }

  /// What the tracker answers, if there is one. It is asked where it is: a copy of the whole tracker would count
  /// references.
  @inlinable
  var presentAnswer: Tracker.Answer? {
    guard tracker.pointer.pointee != nil else { return nil }
    // The value in an optional is at the address of the optional.
    return UnsafeRawPointer(tracker.pointer).assumingMemoryBound(to: Tracker.self).pointee.answer
  }

  /// The present value; `nil` if it cannot be read now.
  ///
  /// - Parameter find: finds it in all states, if there are no subscribers for which it is kept, or while the owner
  ///   works on it. It runs in a copy: conditions are code of the user, which must not run while the owner of the queue
  ///   waits.
  /// - Complexity: that of copying the answer; O(rows) without subscribers.
  @inlinable
  func answer(orFind find: (States) -> Tracker.Answer) -> Tracker.Answer? {
    var states: States?
    let answer = shard.read { store -> Tracker.Answer? in
      if !isLooking.load(ordering: .acquiring), let answer = presentAnswer { return answer }
      states = store.states
      return nil
    }
    return states.map(find) ?? answer ?? nil
  }
}
