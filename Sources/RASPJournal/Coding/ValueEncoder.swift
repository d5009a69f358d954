/// Makes payloads of values.
@usableFromInline
struct ValueEncoder<Value: Sendable>: ~Copyable {
  /// The payload of the last value.
  @usableFromInline var payload = ByteWriter()

  @usableFromInline let coding: Coding<Value>

  init(_ coding: Coding<Value>) {
    self.coding = coding
  }

  /// Puts a value into the payload.
  ///
  /// - Returns: the place of its kind in the coding.
  @inlinable
  mutating func encode(_ value: Value) throws(CodingError) -> Int {
    payload.removeAll()
    let index: Int
    do {
      index = try coding.encode(value, &payload)
    } catch {
      throw CodingError(writing: value, kind: coding.kinds.count == 1 ? coding.kinds[0] : nil, error)
    }
    // A definition may stand in the same batch, so a little less than what its header can say.
    if payload.count < Int(Int32.max) { return index }
    throw CodingError(coding.kinds[index], .tooLarge)
  }
}
