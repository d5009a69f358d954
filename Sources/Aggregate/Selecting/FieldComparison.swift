/// An optional of a floating-point number, which like the number itself may hold a NaN.
@usableFromInline protocol OptionalFloatingPoint {}

extension Optional: OptionalFloatingPoint where Wrapped: FloatingPoint {}

/// Returns whether a selected field is unchanged: `==`, and for floating-point numbers also NaN after NaN, so that a
/// sensor that stays without a reading is not reported again and again.
@inlinable
@inline(__always)
func isUnchanged<Field: Equatable>(_ old: Field, _ new: Field) -> Bool {
  old == new || isNaNAfterNaN(old, new)
}

@inlinable
@inline(__always)
func isNaNAfterNaN<Field: Equatable>(_ old: Field, _ new: Field) -> Bool {
  // Only a value that differs from itself can be NaN; all others are done here.
  guard old != old, new != new else { return false }
  return isFloatingPoint(Field.self)
}

@usableFromInline
func isFloatingPoint<Field>(_ type: Field.Type) -> Bool {
  Field.self is any FloatingPoint.Type || Field.self is any OptionalFloatingPoint.Type
}
