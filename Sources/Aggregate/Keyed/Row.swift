import Streams
import Synchronization

/// One row of a keyed aggregator: its key, its state, and the selections of its fields.
///
/// A row is there when it has a state, or selections, or both: a row can be subscribed to before its first event. It has
/// memory of its own and does not move, and what uses it counts no reference.
@usableFromInline
struct Row<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  // What each event needs stands first, so that it is on few cache lines; and the state first of all, so that its address is
  // that of the row.
  /// `nil` if there is no such row for users.
  @usableFromInline var state: State?
  /// Retained; `nil` if nothing has subscribed.
  @usableFromInline var branch: Unmanaged<RowBranch>?
  /// The number of the last event that was folded into it.
  @usableFromInline var stamp: UInt64 = 0
  @usableFromInline let key: Key
  /// Rises with each row that gets a state; decides between rows that a ranking calls equal.
  var number: UInt64 = 0
  /// Its index in the table.
  var position: Int

  init(_ key: Key, at position: Int) {
    self.key = key
    self.position = position
  }

  deinit {
    branch?.release()
  }
}

/// The address of a ``Row``.
///
/// Safe to share: a row belongs to the owner of the queue. Other threads copy its state while the queue is idle or has
/// lent, and rows come, go and change between ``QueueAccess/claim()`` and ``QueueAccess/lend()``.
@usableFromInline
struct RowReference<Key: Hashable & Sendable, State: AggregateState>: @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<Row<Key, State>>

  init(_ pointer: UnsafeMutablePointer<Row<Key, State>>) {
    self.pointer = pointer
  }

  @inlinable
  var hasState: Bool {
    @inline(__always) get { pointer.pointee.state != nil }
  }

  /// The address of the state, which is an optional: the first property of a struct is at its address.
  @inlinable
  var stateAddress: UnsafeRawPointer {
    @inline(__always) get { UnsafeRawPointer(pointer) }
  }

  /// The number of subscribers to selections of the row.
  var subscriberCount: Int {
    pointer.pointee.branch?._withUnsafeGuaranteedRef { Int($0.subscriberCount.load(ordering: .relaxed)) } ?? 0
  }

  func deallocate() {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}

/// The selections below one row, without the type of the state.
///
/// Safe to share: the branch and the mark belong to the owner of the queue, and the count is atomic.
@usableFromInline
class RowBranch: @unchecked Sendable {
  @usableFromInline final let selections = QueueIsolated(SelectionBranch())
  /// The number of subscribers to the row.
  @usableFromInline final let subscriberCount = Atomic<Int32>(0)
  /// Is `true` while the row is among those that have lost all subscribers.
  final var isListedAsIdle = false

  @usableFromInline
  init() {}
}
