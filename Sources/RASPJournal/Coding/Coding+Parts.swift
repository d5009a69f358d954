extension ByteWriter {
  /// Appends a value with another coding: its type and version, its length, and its bytes. So a coding by hand is made
  /// of codings of its parts, each of which may have older versions.
  ///
  /// - Errors: what the coding throws.
  /// - Complexity: that of the coding. The value is copied once.
  @inlinable
  public mutating func append<Value>(_ value: Value, with coding: Coding<Value>) throws {
    var payload = ByteWriter()
    let kind = coding.kinds[try coding.encode(value, &payload)]
    append(kind.name)
    append(kind.version)
    appendVarint(UInt64(payload.count))
    append(UnsafeRawBufferPointer(start: payload.start, count: payload.count))
  }
}

extension ByteReader {
  /// Reads what ``ByteWriter/append(_:with:)`` has appended.
  ///
  /// - Returns: one value, unless the coding makes several or none of it, of an older version.
  /// - Errors: ``ByteError`` if the bytes end early, and ``CodingError`` if the coding does not read them.
  /// - Complexity: that of the coding.
  @inlinable
  public mutating func readValues<Value>(with coding: Coding<Value>) throws -> [Value] {
    let type = TypeVersion(name: try readString(), version: try read(Int.self))
    guard let count = Int(exactly: try readVarint()) else { throw ByteError.numberTooLarge }
    let payload = try readBuffer(count)
    var values: [Value] = []
    try ValueDecoder.decode(payload, of: type, with: ValueDecoder(coding).decoder(for: type)) { values.append($0) }
    return values
  }
}
