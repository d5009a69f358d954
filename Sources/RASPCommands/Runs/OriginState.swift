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

/// What says which events of a command are still wanted.
///
/// Safe to share: both fields that change are atomic.
@usableFromInline
struct OriginState: ~Copyable, Sendable {
  @usableFromInline let phase = Atomic<UInt8>(0)
  /// Written and read by the one thread that delivers events.
  @usableFromInline let lastWasAdmitted = Atomic<Bool>(false)

  /// What its handler does and publishes is caused by this: the execution, if the engine is recorded, otherwise what caused
  /// that.
  @usableFromInline let identity: CarriedCause

  @inlinable
  init(_ identity: CarriedCause) {
    self.identity = identity
  }

  /// The phase at this moment.
  @inlinable var now: UInt8 { phase.load(ordering: .acquiring) }

  @inlinable var isOpen: Bool { now == OriginPhase.open }

  /// Says what is to be done with an event.
  @inlinable
  func admit(isLast: Bool) -> EventAdmission {
    if isLast {
      lastWasAdmitted.store(true, ordering: .relaxed)
      return .deliver
    }
    if now == OriginPhase.withdrawn { return .withdrawn }
    return lastWasAdmitted.load(ordering: .relaxed) ? .tooLate : .deliver
  }

  /// Ends the origin. The first end counts.
  ///
  /// - Returns: `false` if it has ended before.
  @inlinable
  func end(as end: UInt8) -> Bool {
    phase.compareExchange(expected: OriginPhase.open, desired: end, ordering: .acquiringAndReleasing).exchanged
  }
}

/// What a lane does with an event.
@usableFromInline
enum EventAdmission: Sendable {
  case deliver
  /// The event comes after the last one, though one thread published while another ended the execution.
  case tooLate
  case withdrawn
}
