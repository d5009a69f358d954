import Aggregate
import Synchronization

/// One row of a keyed aggregator: its key, its state, and the selections of its fields.
///
/// A row is there when it has a state, or subscribers, or both: a row can be subscribed to before its first event.
///
/// Safe to share: a row belongs to the owner of the shard's queue. It changes its state and its selections behind the
/// gate of the store, where other threads look at them. The rest belongs to the owner alone, or does not change.
@usableFromInline
final class KeyedRow<Key: Hashable & Sendable, State: AggregateState>: RowMemory<State?>, @unchecked Sendable {
  @usableFromInline let key: Key

  @inlinable
  init(_ key: Key) {
    self.key = key
    super.init(nil)
  }

  /// `nil` if there is no such row for users.
  @inlinable
  var state: State? { address.pointee }

  @inlinable
  var hasState: Bool {
    @inline(__always) get { address.pointee != nil }
  }

  /// The address of the state of a row that has one: what an optional has is at its address.
  @inlinable
  var presentState: UnsafePointer<State> {
    @inline(__always) get {
      assert(hasState, "The state of a row that is not there is used.")
      return UnsafeRawPointer(address).assumingMemoryBound(to: State.self)
    }
  }

  /// Returns whether the row is there and its state satisfies a condition of a user.
  @inlinable
  @inline(__always)
  func satisfies(_ condition: (State) -> Bool) -> Bool {
    hasState && presentState.read(condition)
  }
}

/// A row that knows the type of its memory, and neither its key nor that this is an optional state: a row is released
/// by code that knows no types, which would look up the type of an optional at run time. Here it is a parameter.
///
/// Safe to share: as a ``KeyedRow``.
@usableFromInline
class RowMemory<Memory: Sendable>: UntypedRow, @unchecked Sendable {
  /// It is read and written by its address.
  @exclusivity(unchecked) @usableFromInline final var memory: Memory
  /// The address of the memory, which does not move. It is taken once, before others know the row: to take it counts as
  /// a change for the thread sanitizer.
  @exclusivity(unchecked) @usableFromInline final var place: UnsafePointer<Memory>?

  @inlinable
  init(_ memory: Memory) {
    self.memory = memory
    super.init()
    place = UnsafePointer(withUnsafeMutablePointer(to: &self.memory) { $0 })
  }

  @inlinable
  final var address: UnsafePointer<Memory> {
    @inline(__always) get { place.unsafelyUnwrapped }
  }
}

/// A row without the types of its key and its state: its number, its place in the order of last events, and its
/// subscribers.
///
/// Safe to share: as a ``KeyedRow``.
@usableFromInline
class UntypedRow: @unchecked Sendable {
  /// Rises with each row that gets a state: the order in which rows were made.
  @exclusivity(unchecked) @usableFromInline final var number: UInt64 = 0
  /// The number of the last event of the row, where rows are given up by their age.
  @exclusivity(unchecked) final var stamp: UInt64 = 0
  // A neighbour is not retained: a row is taken out before the store gives it up.
  @exclusivity(unchecked) final var older: Unmanaged<UntypedRow>?
  @exclusivity(unchecked) final var newer: Unmanaged<UntypedRow>?
  /// Retained; `nil` if nothing has subscribed. They come and go between two events, so an event counts no reference.
  @exclusivity(unchecked) @usableFromInline final var subscribers: Unmanaged<RowSubscribers>?

  @usableFromInline
  init() {}

  deinit {
    subscribers?.release()
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
