import RASPSupport
import Streams
import Synchronization

/// The memory of the state. Events are folded here, snapshots are copied from here.
///
/// ```
///   owner:    gate [ apply, in place ]   notify …
///   readers:         wait                copy
/// ```
///
/// A state that can throw is changed in a copy, which replaces the state when `apply` has returned; readers
/// get the state before the event until then.
@usableFromInline
final class StateCell<State: AggregateState>: Sendable {
  @usableFromInline let reference: StateReference<State>
  /// Made where the state is known: what releases an object of a generic class is not.
  @usableFromInline let release: @Sendable (StateReference<State>) -> Void

  @inlinable
  init(_ initial: State) {
    reference = StateReference(initial)
    release = { $0.deallocate() }
  }

  deinit {
    release(reference)
  }
}

/// The memory that a ``StateCell`` owns, as a pointer, so that its users count no references.
///
/// Safe to share: the state is changed by the owner of the aggregator's queue behind the gate, and copied by other
/// threads there.
@usableFromInline
struct StateReference<State: AggregateState>: Sendable {
  @usableFromInline
  struct Contents: ~Copyable {
    @usableFromInline var state: State
    /// The answer to a read from inside `apply` while the state is changed in place: no copy of it may exist then.
    @usableFromInline var initial: State
    @usableFromInline let folding = FoldGate()

    @inlinable
    init(_ initial: State) {
      state = initial
      self.initial = initial
    }
  }

  @usableFromInline let address: SharedAddress<UnsafeMutablePointer<Contents>>

  @inlinable
  init(_ initial: State) {
    address = SharedAddress(.allocate(capacity: 1))
    contents.initialize(to: Contents(initial))
    assert(withUnsafeMutablePointer(to: &contents.pointee.state) { UnsafePointer($0) } == pointer)
    assert(withUnsafeMutablePointer(to: &contents.pointee.initial) { UnsafePointer($0) } == self.initial)
  }

  @inlinable
  func deallocate() {
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  @inlinable
  var contents: UnsafeMutablePointer<Contents> {
    @inline(__always) get { address.pointer }
  }

  /// The address of the state. It does not move.
  ///
  /// It is computed: an address that is taken as `&contents.pointee.state` counts as a change for the thread sanitizer,
  /// and readers of several threads take it. The state is the first property of the contents.
  @inlinable
  var pointer: UnsafePointer<State> {
    @inline(__always) get { UnsafeRawPointer(contents).assumingMemoryBound(to: State.self) }
  }

  /// The address of the initial state, which lies behind the state.
  @inlinable
  var initial: UnsafePointer<State> {
    let mask = MemoryLayout<State>.alignment - 1
    let offset = (MemoryLayout<State>.size + mask) & ~mask
    return UnsafeRawPointer(contents).advanced(by: offset).assumingMemoryBound(to: State.self)
  }

  /// Folds an event; if the state refuses it, nothing has changed.
  @inlinable
  @inline(__always)
  func fold(_ event: State.Event, _ access: QueueAccess) throws(State.Rejection) {
    try contents.pointee.folding.fold(event, into: pointer, access) {}
  }
}
