/// A cause on its way: what waits in a line or for an instant takes it along.
@usableFromInline
package struct CarriedCause: Hashable, Sendable, BitwiseCopyable {
  /// A cause, or one of two marks that are none: their lane is 0.
  @usableFromInline let mark: UInt64

  @inlinable
  init(mark: UInt64) { self.mark = mark }

  /// A cause that was made by hand without a lane is unknown.
  @inlinable
  package init(_ cause: Cause) { mark = cause.lane == 0 ? Self.unknown.mark : cause.rawValue }

  /// Nothing is being delivered.
  @inlinable package static var none: CarriedCause { CarriedCause(mark: 0) }

  /// Something is being delivered, and its cause is not known.
  @inlinable package static var unknown: CarriedCause { CarriedCause(mark: 1) }

  @inlinable package var isUnknown: Bool { mark <= 1 }

  @inlinable package var cause: Cause { mark <= 1 ? .unknown : Cause(rawValue: mark) }
}
