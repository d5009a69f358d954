/// Returns a value of any type as one of a type.
///
/// A cast asks the runtime about types, also where the value has exactly the type that is wanted. Here that costs the comparison
/// of two words.
///
/// - Returns: `nil` if the value is none of that type.
@inlinable
func same<Value>(_ value: any Sendable, as type: Value.Type) -> Value? {
  func open<Present>(_ present: Present) -> Value? {
    // Both names mean one type, so the bits are those of a `Value`.
    Present.self == Value.self ? unsafeBitCast(present, to: Value.self) : present as? Value
  }
  return open(value)
}
