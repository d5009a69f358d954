/// Makes bytes of values, one after the other, for a log of your own.
///
/// ```
/// var encoder = ValueEncoder(coding)
/// try encoder.encode(reading) { type, bytes in … }
/// ```
public struct ValueEncoder<Value: Sendable>: ~Copyable {
  /// The payload of the last value.
  @usableFromInline package var payload = ByteWriter()

  @usableFromInline let coding: Coding<Value>

  /// Makes an encoder.
  public init(_ coding: Coding<Value>) {
    self.coding = coding
  }

  /// Gives the bytes of a value to `take`, with the type and version that have to be kept beside them.
  ///
  /// - Parameters:
  ///   - value: what becomes bytes.
  ///   - take: gets the type and the bytes. The bytes may be used until it returns.
  /// - Complexity: that of the coding. The memory is used again for the next value.
  @inlinable
  public mutating func encode<Result>(
    _ value: Value,
    _ take: (TypeVersion, UnsafeRawBufferPointer) -> Result
  ) throws(CodingError) -> Result {
    let kind = try encode(value)
    return take(coding.kinds[kind], UnsafeRawBufferPointer(start: payload.start, count: payload.count))
  }

  /// Puts a value into the payload.
  ///
  /// - Returns: the place of its kind in the coding.
  @inlinable
  package mutating func encode(_ value: Value) throws(CodingError) -> Int {
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
