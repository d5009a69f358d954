/// The phases of a run.
///
/// ```
///   open ──finished──▶ over
///     └──cancelled, timed out──▶ withdrawn
/// ```
@usableFromInline
enum RunPhase {
  /// The handler may publish.
  @usableFromInline static var open: UInt8 { 0 }
  /// The handler has returned or thrown.
  @usableFromInline static var over: UInt8 { 1 }
  /// The execution was ended from outside; only its last event is wanted.
  @usableFromInline static var withdrawn: UInt8 { 2 }
}

/// What a lane does with an event of a run.
@usableFromInline
enum EventAdmission: Sendable {
  case deliver
  /// The event comes after the last one, though one thread published while another ended the execution.
  case tooLate
  case withdrawn
}
