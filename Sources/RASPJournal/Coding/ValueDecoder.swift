/// Makes values of the payloads of records, with the version of the coding that each record asks for.
struct ValueDecoder<Value: Sendable> {
  private let coding: Coding<Value>
  /// The decoders that were needed so far, by the places of their kinds in the file.
  private var decoders: [Coding<Value>.Decoder?] = []

  init(_ coding: Coding<Value>) {
    self.coding = coding
  }

  /// Gives each value that a record becomes to `take`.
  mutating func decode(_ record: Record, _ take: (Value) -> Void) throws(CodingError) {
    let decoder = try decoder(for: record)
    var bytes = ByteReader(record.payload)
    do {
      switch decoder {
      case .one(let decode):
        let value = try decode(&bytes)
        try checkEnd(of: bytes, record)
        take(value)
      case .several(let decode):
        let values = try decode(&bytes)
        try checkEnd(of: bytes, record)
        for value in values { take(value) }
      }
    } catch let error as CodingError {
      throw error
    } catch {
      throw CodingError(record.kind.type, .failed(error))
    }
  }

  private func checkEnd(of bytes: borrowing ByteReader, _ record: Record) throws(CodingError) {
    guard bytes.remaining == 0 else { throw CodingError(record.kind.type, .unreadBytes(bytes.remaining)) }
  }

  private mutating func decoder(for record: Record) throws(CodingError) -> Coding<Value>.Decoder {
    while decoders.count <= record.kindIndex { decoders.append(nil) }
    if let decoder = decoders[record.kindIndex] { return decoder }
    guard let decoder = coding.decoders[record.kind.type] else {
      throw CodingError(record.kind.type, .unknown(readable: coding.readable))
    }
    decoders[record.kindIndex] = decoder
    return decoder
  }
}
