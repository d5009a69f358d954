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
}

/// A view over many rows while it has subscribers: it looks at each row before and after a change.
///
/// It cannot be copied: a closure that is borrowed from memory is called without counting a reference, and a copy is
/// not. It does not depend on the types of keys and rows, so the list of views is compiled once.
@usableFromInline
struct RowWatcher: ~Copyable {
  /// - Parameter row: a ``KeyedRow`` of the view's types.
  /// - Returns: whether the subscribers have to be told; `after` a change only.
  @usableFromInline typealias Watch = @Sendable (_ moment: RowMoment, _ row: UntypedRow, _ access: QueueAccess) -> Bool

  /// It keeps the view, and that its subscribers.
  @usableFromInline let watch: Watch
  @usableFromInline let group: Unmanaged<ObserverGroup>

  @usableFromInline
  init(telling group: ObserverGroup, watch: @escaping Watch) {
    self.watch = watch
    self.group = .passUnretained(group)
  }
}

/// The views of one shard that have subscribers, in any order.
@usableFromInline
struct RowWatcherList: ~Copyable {
  @usableFromInline var watchers = OwnedList<RowWatcher>()

  @usableFromInline
  init() {}

  /// Has all views look at a row that will change, or that has refused an event.
  @inlinable
  @inline(__always)
  func tell(_ moment: RowMoment, _ row: UntypedRow, _ access: QueueAccess) {
    var index = 0
    while index < watchers.count {
      _ = watchers.address(at: index).pointee.watch(moment, row, access)
      index += 1
    }
  }

  /// Has all views look at a row that has changed, and notes those whose subscribers have to be told.
  @inlinable
  @inline(__always)
  func noteChanges(of row: UntypedRow, in round: inout Round, _ access: QueueAccess) {
    var index = 0
    while index < watchers.count {
      let watcher = watchers.address(at: index)
      if watcher.pointee.watch(.after, row, access) {
        watcher.pointee.group._withUnsafeGuaranteedRef { round.note($0) }
      }
      index += 1
    }
  }

  @usableFromInline
  mutating func append(_ watcher: consuming RowWatcher) { watchers.append(watcher) }

  /// Takes out the view that tells a group; the last one takes its place. The caller keeps it alive.
  ///
  /// - Complexity: O(views), as an event is.
  @usableFromInline
  mutating func remove(telling group: ObserverGroup) {
    var index = 0
    while watchers.address(at: index).pointee.group.toOpaque() != Unmanaged.passUnretained(group).toOpaque() {
      index += 1
    }
    _ = watchers.swapRemove(at: index)
  }
}
