import Aggregate
import Streams

/// A moment in the change of a row, as a view over many rows sees it.
@usableFromInline
enum RowMoment: Sendable {
  /// The row is as it was before.
  case before
  /// The row is as it will be for the subscribers.
  case after
  /// The row has refused its event, and is as it was before.
  case refused
  /// The subscribers have been told.
  case over
}

/// A view over many rows while it has subscribers: it looks at each row before and after a change.
///
/// It cannot be copied: a value that is borrowed from memory is called without counting a reference, and a copy is not.
/// It does not depend on the types of keys and rows, so the list of views is compiled once.
@usableFromInline
struct RowWatcher: ~Copyable {
  /// - Parameter row: a ``KeyedRow`` of the view's types.
  /// - Returns: whether the subscribers have to be told; `after` a change only.
  @usableFromInline
  typealias Watch =
    @Sendable (
      _ view: Unmanaged<AnyObject>, _ moment: RowMoment, _ row: AnyObject, _ access: QueueAccess
    ) -> Bool

  @usableFromInline let watch: Watch
  /// The view, retained. It keeps its subscribers.
  @usableFromInline let view: Unmanaged<AnyObject>
  @usableFromInline let group: Unmanaged<ObserverGroup>

  @usableFromInline
  init(_ view: AnyObject, telling group: ObserverGroup, watch: @escaping Watch) {
    self.watch = watch
    self.view = .passRetained(view)
    self.group = .passUnretained(group)
  }

  @inlinable
  deinit {
    view.release()
  }

  @inlinable
  @inline(__always)
  borrowing func look(_ moment: RowMoment, _ row: AnyObject, _ access: QueueAccess) -> Bool {
    watch(view, moment, row, access)
  }
}

/// The views of one shard that have subscribers, in any order.
@usableFromInline
struct RowWatcherList: ~Copyable {
  @usableFromInline var watchers = OwnedList<RowWatcher>()

  @usableFromInline
  init() {}

  @inlinable
  var isEmpty: Bool {
    @inline(__always) get { watchers.count == 0 }
  }

  @inlinable
  @inline(__always)
  func tell(_ moment: RowMoment, _ row: AnyObject, _ access: QueueAccess) {
    var index = 0
    while index < watchers.count {
      _ = watchers.address(at: index).pointee.look(moment, row, access)
      index += 1
    }
  }

  /// Has all views look at a row that has changed, and notes those whose subscribers have to be told.
  @inlinable
  @inline(__always)
  func noteChanges(of row: AnyObject, in round: inout Round, _ access: QueueAccess) {
    var index = 0
    while index < watchers.count {
      let watcher = watchers.address(at: index)
      if watcher.pointee.look(.after, row, access) {
        watcher.pointee.group._withUnsafeGuaranteedRef { round.note($0) }
      }
      index += 1
    }
  }

  @usableFromInline
  mutating func append(_ watcher: consuming RowWatcher) {
    note(Int32(watchers.count), of: watcher)
    watchers.append(watcher)
  }

  /// Takes out the view that tells a group; the last one takes its place. The caller keeps it alive.
  ///
  /// - Complexity: O(1).
  @usableFromInline
  mutating func remove(telling group: ObserverGroup) {
    let index = group.viewIndex
    let removed = watchers.swapRemove(at: Int(index))
    assert(removed.group.toOpaque() == Unmanaged.passUnretained(group).toOpaque(), "A view has lost its index.")
    if index < watchers.count { note(index, of: watchers.address(at: Int(index)).pointee) }
  }

  private func note(_ index: Int32, of watcher: borrowing RowWatcher) {
    watcher.group._withUnsafeGuaranteedRef { $0.viewIndex = index }
  }
}
