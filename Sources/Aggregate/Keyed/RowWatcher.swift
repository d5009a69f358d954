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
  /// Is `true` if it calls code of the user when it looks at a row.
  let runsUserCode: Bool

  init(_ view: AnyObject, telling group: ObserverGroup, runsUserCode: Bool, watch: @escaping Watch) {
    self.runsUserCode = runsUserCode
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

/// The views of one shard that have subscribers, in the order in which they came.
@usableFromInline
struct RowWatcherList<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  @usableFromInline var watchers = OwnedList<RowWatcher<Key, State>>()
  /// Is `true` if a view calls code of the user when it looks at a row: no reader waits for that.
  @usableFromInline private(set) var runsUserCode = false

  init() {}

  @inlinable
  var isEmpty: Bool {
    @inline(__always) get { watchers.length == 0 }
  }

  @inlinable
  @inline(__always)
  func tell(_ moment: RowMoment, _ row: RowReference<Key, State>, _ access: QueueAccess) {
    var index = 0
    while index < watchers.count {
      _ = watchers.address(at: index).pointee.look(moment, row, access)
      index += 1
    }
  }

  /// Has all views look at a row that has changed, and notes those whose subscribers have to be told.
  @inlinable
  @inline(__always)
  func noteChanges(of row: RowReference<Key, State>, in round: inout Round, _ access: QueueAccess) {
    var index = 0
    while index < watchers.count {
      let watcher = watchers.address(at: index)
      if watcher.pointee.look(.after, row, access) {
        watcher.pointee.group._withUnsafeGuaranteedRef { round.note($0) }
      }
      index += 1
    }
  }

  mutating func append(_ watcher: consuming RowWatcher<Key, State>) {
    if watcher.runsUserCode { runsUserCode = true }
    watchers.append(watcher)
  }

  /// Takes out a view. The caller keeps it alive.
  mutating func remove(_ view: AnyObject) {
    let view = Unmanaged.passUnretained(view).toOpaque()
    guard let index = (0..<watchers.count).first(where: { watchers.address(at: $0).pointee.view.toOpaque() == view })
    else { return }
    _ = watchers.remove(at: index)
    runsUserCode = (0..<watchers.count).contains { watchers.address(at: $0).pointee.runsUserCode }
  }
}
