import Aggregate
import Synchronization

/// One row of a keyed aggregator: its key, its state, and the selections of its fields.
///
/// A row is there when it has a state, or subscribers, or both: a row can be subscribed to before its first event.
///
/// Safe to share: a row belongs to the owner of the shard's queue. It changes its state and its selections behind the
/// gate of the store, where other threads look at them. The rest belongs to the owner alone, or does not change.
@usableFromInline
final class KeyedRow<Key: Hashable & Sendable, State: AggregateState>: RowAge, @unchecked Sendable {
  @usableFromInline let key: Key
  /// Rises with each row that gets a state: the order in which rows were made.
  @exclusivity(unchecked) @usableFromInline var number: UInt64 = 0
  /// Retained; `nil` if nothing has subscribed. They come and go between two events, so an event counts no reference.
  @exclusivity(unchecked) @usableFromInline var subscribers: Unmanaged<RowSubscribers>?
  /// Where the state is. It is read and written by its address.
  @exclusivity(unchecked) @usableFromInline var memory: State?
  /// The address of the memory, which does not move. It is taken once, before others know the row: to take it counts as
  /// a change for the thread sanitizer.
  @exclusivity(unchecked) @usableFromInline var place: UnsafePointer<State?>?

  @inlinable
  init(_ key: Key) {
    self.key = key
    super.init()
    place = UnsafePointer(withUnsafeMutablePointer(to: &memory) { $0 })
  }

  @inlinable
  deinit {
    subscribers?.release()
  }

  /// The address of the state, which is `nil` if there is no such row for users.
  @inlinable
  var address: UnsafePointer<State?> {
    @inline(__always) get { place.unsafelyUnwrapped }
  }

  @inlinable
  var state: State? { address.pointee }

  @inlinable
  var hasState: Bool {
    @inline(__always) get { address.pointee != nil }
  }

  /// The address of the state for what does not know its type.
  @inlinable
  var stateAddress: UnsafeRawPointer {
    @inline(__always) get { UnsafeRawPointer(address) }
  }

  /// The address of the state of a row that has one: what an optional has is at its address.
  @inlinable
  var presentState: UnsafePointer<State> {
    @inline(__always) get {
      assert(hasState, "The state of a row that is not there is used.")
      return stateAddress.assumingMemoryBound(to: State.self)
    }
  }
}

/// What a row knows of its subscribers. A subclass takes them out of the row.
///
/// Safe to share: the branch belongs to the owner of the queue, and the count is atomic, because other threads ask for
/// it.
@usableFromInline
class RowSubscribers: @unchecked Sendable {
  /// The selections of the row that have subscribers.
  @exclusivity(unchecked) @usableFromInline final var branch: SelectionBranch
  /// The number of subscribers.
  @usableFromInline final let count = Atomic<Int>(0)

  @usableFromInline
  init() {
    branch = SelectionBranch()
  }
}
