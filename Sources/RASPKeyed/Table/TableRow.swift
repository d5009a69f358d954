import Aggregate
import RASPSupport
import Synchronization

/// One row of a keyed aggregator: its key, its state, and the selections of its fields.
///
/// A row is there when it has a state, or subscribers, or both: a row can be subscribed to before its first event. It
/// does not move, and what uses it counts no reference.
@usableFromInline
struct TableRow<Key: Hashable & Sendable, State: AggregateState>: ~Copyable {
  // What each event needs stands first, so that it is on few cache lines; and the state first of all, so that its
  // address is that of the row.
  /// `nil` if there is no such row for users.
  @usableFromInline var state: State?
  /// The selections of its fields that have subscribers; they belong to the owner of the queue.
  @usableFromInline var selections = SelectionBranch()
  @usableFromInline let key: Key
  @usableFromInline let hash: UInt32
  /// Its number in the memory of the table.
  @usableFromInline let place: UInt32
  /// Rises with each row that gets a state: the order in which rows were made.
  @usableFromInline var number: UInt64 = 0
  /// Retained; `nil` if nothing has subscribed.
  @usableFromInline var subscribers: Unmanaged<RowSubscribers>?
  #if DEBUG
    @usableFromInline let life = RowLife()
  #endif

  @inlinable
  init(_ key: HashedKey<Key>, at place: Int) {
    self.key = key.key
    hash = key.hash
    self.place = UInt32(place)
  }

  @inlinable
  deinit {
    subscribers?.release()
  }
}

#if DEBUG
  /// Lives as long as a row. A reference to it that is not owned traps when the row is gone.
  @usableFromInline
  final class RowLife: Sendable {
    @usableFromInline init() {}
  }
#endif

/// The address of a ``TableRow``. It must not be used when the row is gone: a debug build traps then.
///
/// Safe to share: a row belongs to the owner of the queue. Other threads copy its state behind the gate of the table, and
/// there rows come, go and change.
@usableFromInline
struct RowReference<Key: Hashable & Sendable, State: AggregateState>: Sendable {
  @usableFromInline let address: SharedAddress<UnsafeMutablePointer<TableRow<Key, State>>>
  #if DEBUG
    @usableFromInline unowned let life: RowLife
  #endif

  @inlinable
  @inline(__always)
  init(_ address: UnsafeMutablePointer<TableRow<Key, State>>) {
    self.address = SharedAddress(address)
    #if DEBUG
      life = address.pointee.life
    #endif
  }

  @inlinable
  var pointer: UnsafeMutablePointer<TableRow<Key, State>> {
    @inline(__always) get {
      #if DEBUG
        _ = life
      #endif
      return address.pointer
    }
  }

  @inlinable
  var key: HashedKey<Key> {
    @inline(__always) get { HashedKey(pointer.pointee.key, hash: pointer.pointee.hash) }
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

  /// The address of the state of a row that has one, for the fold: what an optional has is at its address.
  @inlinable
  var foldedState: UnsafePointer<State> {
    @inline(__always) get {
      assert(hasState, "An event is folded into a row that is not there.")
      return stateAddress.assumingMemoryBound(to: State.self)
    }
  }

  /// The number of subscribers to selections of the row.
  @inlinable
  var subscriberCount: Int {
    pointer.pointee.subscribers?._withUnsafeGuaranteedRef { Int($0.count.load(ordering: .relaxed)) } ?? 0
  }
}

/// What a row knows of its subscribers. A subclass takes them out of the row.
///
/// Safe to share: the marks belong to the owner of the queue, and the count is atomic.
@usableFromInline
class RowSubscribers: @unchecked Sendable {
  /// The number of subscribers to the row.
  @usableFromInline final let count = Atomic<Int32>(0)
  /// Is `true` while the row is among those that have lost all subscribers.
  @exclusivity(unchecked) @usableFromInline final var isListedAsIdle = false

  @usableFromInline
  init() {}
}
