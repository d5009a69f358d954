extension ByteWriter {
  /// Appends a value with another coding: its type and version, its length, and its bytes. So a coding by hand is made
  /// of codings of its parts, each of which may be sealed or have older versions.
  ///
  /// - Errors: what the coding throws.
  /// - Complexity: that of the coding. The value is copied once.
  public mutating func append<Value>(_ value: Value, with coding: Coding<Value>) throws(CodingError) {
    var encoder = ValueEncoder(coding)
    try encoder.encode(value) { type, payload in
      append(type.name)
      append(type.version)
      appendVarint(UInt64(payload.count))
      append(payload)
    }
  }
}

extension ByteReader {
  /// Reads what ``ByteWriter/append(_:with:)`` has appended.
  ///
  /// - Returns: one value, unless the coding makes several or none of it: of an older version, or of a subject that has
  ///   been forgotten.
  /// - Errors: ``ByteError`` if the bytes end early, and ``CodingError`` if the coding does not read them.
  /// - Complexity: that of the coding.
  public mutating func readValues<Value>(with coding: Coding<Value>) throws -> [Value] {
    let name = try readString()
    let version = try read(Int.self)
    guard let count = Int(exactly: try readVarint()) else { throw ByteError.numberTooLarge }
    let payload = try readBuffer(count)
    var decoder = ValueDecoder(coding)
    var values: [Value] = []
    try decoder.decode(payload, of: TypeVersion(name: name, version: version)) { values.append($0) }
    return values
  }
}
