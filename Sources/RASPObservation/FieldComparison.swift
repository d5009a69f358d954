/// Makes the comparison of two values of a type, which are at the addresses. Values of a type that cannot be compared
/// count as changed.
@usableFromInline
func makeComparison<Field>(of type: Field.Type) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
  func opened<Value: Equatable>(_ type: Value.Type) -> (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
    { old, new in
      // `Value` is the type `Field`, of which it is only known here that it can be compared.
      let (old, new) = (old.assumingMemoryBound(to: Value.self), new.assumingMemoryBound(to: Value.self))
      // What differs from itself holds a NaN, and is not reported again and again.
      return old.pointee == new.pointee || old.pointee != old.pointee && new.pointee != new.pointee
    }
  }
  guard let type = Field.self as? any Equatable.Type else { return { _, _ in false } }
  return opened(type)
}

/// Does the same for two values that are not at an address.
@usableFromInline
func makeValueComparison<Field>(of type: Field.Type) -> (Field, Field) -> Bool {
  let isEqual = makeComparison(of: type)
  return { old, new in withUnsafePointer(to: old) { old in withUnsafePointer(to: new) { isEqual(old, $0) } } }
}
