import Streams

/// A moment in the change of a row, as a view over many rows sees it.
@usableFromInline
enum RowMoment: Sendable {
  /// The row is as it was before.
  case before
  /// The row is as it will be for the subscribers.
  case after
  /// The subscribers have been told.
  case over
}

/// A view over many rows while it has subscribers: it looks at each row before and after a change.
///
/// It cannot be copied: a value that is borrowed from memory is called without counting a reference, and a copy is not.
@usableFromInline
struct RowWatcher<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  /// - Returns: whether the subscribers have to be told; `after` a change only.
  @usableFromInline
  typealias Watch =
    @Sendable (
      _ view: Unmanaged<AnyObject>, _ moment: RowMoment, _ row: RowReference<Key, State>, _ access: QueueAccess
    ) -> Bool

  @usableFromInline let watch: Watch
  /// The view, retained. It keeps its subscribers.
  @usableFromInline let view: Unmanaged<AnyObject>
  @usableFromInline let group: Unmanaged<ObserverGroup>

  init(_ view: AnyObject, telling group: ObserverGroup, watch: @escaping Watch) {
    self.watch = watch
    self.view = .passRetained(view)
    self.group = .passUnretained(group)
  }

  deinit {
    view.release()
  }

  @inlinable
  @inline(__always)
  borrowing func look(_ moment: RowMoment, _ row: RowReference<Key, State>, _ access: QueueAccess) -> Bool {
    watch(view, moment, row, access)
  }
}

/// The views of one shard that have subscribers, in one piece of memory.
///
/// Invariants: the list owns what is in it; there is no memory before the first view comes.
@usableFromInline
struct RowWatcherList<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  @usableFromInline var watchers: UnsafeMutablePointer<RowWatcher<Key, State>>?
  private var capacity = 0
  @usableFromInline private(set) var count = 0

  init() {}

  deinit {
    guard let watchers else { return }
    watchers.deinitialize(count: count)
    watchers.deallocate()
  }

  @inlinable
  @inline(__always)
  func tell(_ moment: RowMoment, _ row: RowReference<Key, State>, _ access: QueueAccess) {
    var index = 0
    while index < count {
      _ = watchers.unsafelyUnwrapped[index].look(moment, row, access)
      index += 1
    }
  }

  /// Has all views look at a row that has changed, and notes those whose subscribers have to be told.
  @inlinable
  @inline(__always)
  func noteChanges(of row: RowReference<Key, State>, in round: inout Round, _ access: QueueAccess) {
    var index = 0
    while index < count {
      if watchers.unsafelyUnwrapped[index].look(.after, row, access) {
        watchers.unsafelyUnwrapped[index].group._withUnsafeGuaranteedRef { round.note($0) }
      }
      index += 1
    }
  }

  mutating func append(_ watcher: consuming RowWatcher<Key, State>) {
    if count == capacity {
      let larger = max(2, capacity * 2)
      let grown = UnsafeMutablePointer<RowWatcher<Key, State>>.allocate(capacity: larger)
      if let watchers {
        grown.moveInitialize(from: watchers, count: count)
        watchers.deallocate()
      }
      watchers = grown
      capacity = larger
    }
    (watchers.unsafelyUnwrapped + count).initialize(to: watcher)
    count += 1
  }

  /// Takes out a view. The caller keeps it alive.
  mutating func remove(_ view: AnyObject) {
    guard let watchers else { return }
    for index in 0..<count where watchers[index].view.toOpaque() == Unmanaged.passUnretained(view).toOpaque() {
      (watchers + index).deinitialize(count: 1)
      count -= 1
      // Those behind close up: the order of the views does not change.
      (watchers + index).moveInitialize(from: watchers + index + 1, count: count - index)
      return
    }
  }
}
