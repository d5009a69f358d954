/// Returns whether a value is unchanged, the one rule for all that tell of changes: `==`, and for floating-point
/// numbers and their optionals also NaN after NaN, so that a sensor that stays without a reading is not reported again
/// and again. Anything else that is not `==` has changed.
///
/// A value that equals itself costs one `==` when nothing has changed.
@inlinable
@inline(__always)
package func isUnchanged<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  // Only a value that differs from itself can be NaN.
  old == new || old != old && new != new && isFloatingPoint(Value.self)
}

/// An optional, whatever is in it.
private protocol AnyOptional {
  static var wrapped: Any.Type { get }
}

extension Optional: AnyOptional {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}

/// Returns whether a type is one of floating-point numbers, or of their optionals.
@usableFromInline
package func isFloatingPoint(_ type: Any.Type) -> Bool {
  if let optional = type as? any AnyOptional.Type { return isFloatingPoint(optional.wrapped) }
  return type is any FloatingPoint.Type
}
