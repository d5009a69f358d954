/// Makes values of bytes, one after the other, with the version of the coding that each of them asks for.
public struct ValueDecoder<Value: Sendable> {
  @usableFromInline let coding: Coding<Value>
  /// The decoders that were needed so far, by the places of their kinds in the file.
  @usableFromInline var decoders: [Coding<Value>.Decoder?] = []
  /// The decoder that was needed last for bytes that are in no file.
  @usableFromInline var last: (type: TypeVersion, decoder: Coding<Value>.Decoder)?

  /// Makes a decoder.
  public init(_ coding: Coding<Value>) {
    self.coding = coding
  }

  /// Gives each value that the bytes become to `take`: one, unless they are of an older version.
  ///
  /// - Parameters:
  ///   - bytes: what the encoder has made of a value.
  ///   - type: what the encoder has told beside the bytes.
  ///   - take: gets each value before the next one is made.
  /// - Complexity: that of the coding.
  @inlinable
  public mutating func decode(
    _ bytes: UnsafeRawBufferPointer,
    of type: TypeVersion,
    _ take: (Value) -> Void
  ) throws(CodingError) {
    if let last, last.type == type { return try Self.decode(bytes, of: type, with: last.decoder, take) }
    let decoder = try decoder(for: type)
    last = (type, decoder)
    try Self.decode(bytes, of: type, with: decoder, take)
  }

  /// Gives each value that a record becomes to `take`.
  @inlinable
  mutating func decode(_ record: Record, _ take: (Value) -> Void) throws(FileFailure) {
    do throws(CodingError) {
      if record.kindIndex >= decoders.count || decoders[record.kindIndex] == nil { try addDecoder(for: record) }
      guard let decoder = decoders[record.kindIndex] else { return }
      try Self.decode(record.payload, of: record.kind.type, with: decoder, take)
    } catch {
      throw FileFailure(record, error)
    }
  }

  @inlinable
  static func decode(
    _ payload: UnsafeRawBufferPointer,
    of type: TypeVersion,
    with decoder: Coding<Value>.Decoder,
    _ take: (Value) -> Void
  ) throws(CodingError) {
    var bytes = ByteReader(payload)
    do {
      switch decoder {
      case .one(let decode):
        let value = try decode(&bytes)
        if bytes.remaining != 0 { throw CodingError(type, .unreadBytes(count: bytes.remaining)) }
        take(value)
      case .several(let decode):
        let values = try decode(&bytes)
        if bytes.remaining != 0 { throw CodingError(type, .unreadBytes(count: bytes.remaining)) }
        for value in values { take(value) }
      }
    } catch let error as CodingError {
      throw error
    } catch {
      throw CodingError(type, .failed(error: error))
    }
  }

  @usableFromInline
  mutating func addDecoder(for record: Record) throws(CodingError) {
    while decoders.count <= record.kindIndex { decoders.append(nil) }
    decoders[record.kindIndex] = try decoder(for: record.kind.type)
  }

  @usableFromInline
  func decoder(for type: TypeVersion) throws(CodingError) -> Coding<Value>.Decoder {
    if type == .unwritable {
      return .several { bytes in
        _ = try bytes.readBytes(bytes.remaining)
        return []
      }
    }
    guard let decoder = coding.decoders[type] else { throw CodingError(type, .unknown(readable: coding.readable)) }
    return decoder
  }
}

extension Coding {
  /// Refuses a record of a kind that the coding does not read, without reading its value.
  func checkReads(_ record: Record) throws(FileFailure) {
    if decoders[record.kind.type] != nil || record.kind.type == .unwritable { return }
    throw FileFailure(record, CodingError(record.kind.type, .unknown(readable: readable)))
  }
}
