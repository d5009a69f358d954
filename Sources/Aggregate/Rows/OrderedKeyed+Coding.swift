extension OrderedKeyed: Encodable where Key: Encodable, Row: Encodable {
  /// Encodes each key and the row behind it, one after the other, because a dictionary in a file has no order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for (key, row) in self {
      try container.encode(key)
      try container.encode(row)
    }
  }
}

extension OrderedKeyed: Decodable where Key: Decodable, Row: Decodable {
  /// Decodes keys and rows, each row behind its key.
  ///
  /// - Errors: throws `DecodingError.dataCorrupted` if a key has no row, or stands there twice.
  public init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let key = try container.decode(Key.self)
      guard !container.isAtEnd else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "The last key has no row.")
      }
      guard self[key] == nil else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "A key stands there twice.")
      }
      self[key] = try container.decode(Row.self)
    }
  }
}
