public import Streams

/// The origin of the events of a command that is carried out in its caller, which has no ``Run``.
@usableFromInline
final class CallerOrigin: Sendable {
  @usableFromInline let state: OriginState

  @inlinable
  init(_ identity: CarriedCause) {
    state = OriginState(identity)
  }
}

/// The origin of events in a lane: it says which of them are still wanted.
///
/// It is an enumeration and not a protocol, because the lane asks before each call of a listener.
@usableFromInline
enum EventOrigin: Sendable {
  /// A command that is done before `execute` returns, or that is carried out in the task of its caller.
  case caller(CallerOrigin)
  /// A command that can be awaited and cancelled.
  case run(Run)

  @inlinable var phase: UInt8 {
    switch self {
    case .caller(let caller): caller.state.now
    case .run(let run): run.state.now
    }
  }

  @inlinable var identity: CarriedCause {
    switch self {
    case .caller(let caller): caller.state.identity
    case .run(let run): run.state.identity
    }
  }

  @inlinable var isOpen: Bool { phase == OriginPhase.open }

  @inlinable var isOver: Bool { phase == OriginPhase.over }

  /// Is `true` once only the last event is wanted. It is asked before each call of a listener, because any of them may
  /// cancel.
  @inlinable var isWithdrawn: Bool { phase == OriginPhase.withdrawn }

  /// Ends a command as `OriginPhase` says; `false` if it has ended before. A run is ended by its machine.
  @inlinable
  func end(as end: UInt8) -> Bool {
    guard case .caller(let caller) = self else { preconditionFailure("A run is ended by its machine.") }
    return caller.state.end(as: end)
  }

  /// Says what is to be done with an event. The lane calls this once for each event, one call at a time.
  @inlinable
  func admit(isLast: Bool) -> EventAdmission {
    switch self {
    case .caller(let caller): caller.state.admit(isLast: isLast)
    case .run(let run): run.state.admit(isLast: isLast)
    }
  }
}
