import Streams
import Synchronization

/// The one place where the state lives. Events are folded here, snapshots are copied from here.
///
/// Safe to share: a ``SharedSlot`` whose writer is the owner of the aggregator's delivery queue.
@usableFromInline
struct StateSlot<State: AggregateState>: ~Copyable, Sendable {
  @usableFromInline let slot: SharedSlot<State>
  /// The thread that is inside `apply`.
  @usableFromInline let applying = Atomic<UInt>(ThreadIdentity.nobody)
  /// What a read from inside `apply` gets: the state itself is being changed, and no copy of it may exist if it is to be
  /// changed in its place.
  private let initial: State

  init(_ initial: State) {
    slot = SharedSlot(initial)
    self.initial = initial
  }

  /// For the owner of the queue.
  @inlinable
  var confined: Confined<State> {
    @inline(__always) _read { yield slot.confined }
  }

  /// Whether this very thread is inside `apply`.
  @inlinable
  var isBeingChangedHere: Bool { applying.load(ordering: .relaxed) == ThreadIdentity.current }

  /// Folds an event; if the state refuses it, nothing has changed. For the owner of the queue.
  @inlinable
  @inline(__always)
  func fold(_ event: State.Event) throws(State.Rejection) {
    if State.Rejection.self == Never.self {
      // In place: however large the state, an event costs what it changes. Others who want to read wait here, for
      // `apply` alone.
      applying.store(ThreadIdentity.current, ordering: .relaxed)
      slot.modify { state in
        do throws(State.Rejection) { try state.apply(event) } catch {}
      }
      applying.store(ThreadIdentity.nobody, ordering: .relaxed)
    } else {
      var changed = slot.value
      do {
        applying.store(ThreadIdentity.current, ordering: .relaxed)
        defer { applying.store(ThreadIdentity.nobody, ordering: .relaxed) }
        try changed.apply(event)
      }
      slot.replace(with: changed)
    }
  }

  /// The state for any thread.
  func copy(orNested nested: () -> Void) -> State {
    if let state = slot.copyIfAvailable() { return state }
    guard isBeingChangedHere else { return slot.copy() }
    #if DEBUG
      nested()
    #endif
    return initial
  }
}
