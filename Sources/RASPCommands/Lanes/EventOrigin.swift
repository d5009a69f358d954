public import Streams
import Synchronization

/// The phases of what publishes events.
///
/// ```
///   open ──finished──▶ over
///     └──cancelled, timed out──▶ withdrawn
/// ```
@usableFromInline
enum OriginPhase {
  /// The handler may publish.
  @usableFromInline static var open: UInt8 { 0 }
  /// The handler has returned or thrown.
  @usableFromInline static var over: UInt8 { 1 }
  /// The execution was ended from outside; only its last event is wanted.
  @usableFromInline static var withdrawn: UInt8 { 2 }
}

/// The origin of events in a lane: it says which of them are still wanted.
///
/// A command that has no ``Execution`` while it runs has nothing but this: one that is done before `execute` returns,
/// and one that is carried out in the task of its caller. A ``Run`` is an origin that can be awaited and cancelled.
///
/// It is a class and not a protocol, because the lane asks before each call of a listener. Safe to share, and
/// `@unchecked` only because it has a subclass: both fields are atomic.
@usableFromInline
class EventOrigin: @unchecked Sendable {
  @usableFromInline final let phase = Atomic<UInt8>(0)
  /// Written and read by the one thread that delivers events.
  @usableFromInline final let lastWasAdmitted = Atomic<Bool>(false)

  /// What its handler does and publishes is caused by this: the execution, if the engine is recorded, otherwise what caused
  /// that.
  @usableFromInline final let identity: CarriedCause

  @inlinable
  init(_ identity: CarriedCause) {
    self.identity = identity
  }

  @inlinable
  final var isOpen: Bool { phase.load(ordering: .acquiring) == OriginPhase.open }

  @inlinable
  final var isOver: Bool { phase.load(ordering: .acquiring) == OriginPhase.over }

  /// Is `true` once only the last event is wanted. It is asked before each call of a listener, because any of them may
  /// cancel.
  @inlinable
  final var isWithdrawn: Bool { phase.load(ordering: .acquiring) == OriginPhase.withdrawn }

  /// Ends an origin that no other code can end.
  @inlinable
  final func endAlone() {
    assert(isOpen, "An origin that only its owner can end has ended.")
    phase.store(OriginPhase.over, ordering: .releasing)
  }

  /// Ends an origin that other threads may end as well. The first end counts.
  ///
  /// - Returns: `false` if it has ended before.
  @inlinable
  final func end(as end: UInt8) -> Bool {
    phase.compareExchange(expected: OriginPhase.open, desired: end, ordering: .acquiringAndReleasing).exchanged
  }

  /// Says what is to be done with an event. The lane calls this once for each event, one call at a time.
  @inlinable
  final func admit(isLast: Bool) -> EventAdmission {
    if isLast {
      lastWasAdmitted.store(true, ordering: .relaxed)
      return .deliver
    }
    if isWithdrawn { return .withdrawn }
    return lastWasAdmitted.load(ordering: .relaxed) ? .tooLate : .deliver
  }
}

/// The answer of an ``EventOrigin``.
@usableFromInline
enum EventAdmission: Sendable {
  case deliver
  /// The event comes after the last one, though one thread published while another ended the execution.
  case tooLate
  case withdrawn
}

/// The reaction of one execution. It stands among the listeners at the point at which it was registered.
@usableFromInline
final class OwnReaction<CommandType: Command>: Sendable {
  /// The order of the last listener that was registered before it.
  @usableFromInline let order: Int
  @usableFromInline let reaction: Reaction<CommandType.Output>

  @inlinable
  init(after order: Int, _ reaction: Reaction<CommandType.Output>) {
    self.order = order
    self.reaction = reaction
  }
}
