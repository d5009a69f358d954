/// Makes values of the payloads of records, with the version of the coding that each record asks for.
@usableFromInline
struct ValueDecoder<Value: Sendable> {
  private let coding: Coding<Value>
  /// The decoders that were needed so far, by the places of their kinds in the file.
  @usableFromInline var decoders: [Coding<Value>.Decoder?] = []

  init(_ coding: Coding<Value>) {
    self.coding = coding
  }

  /// Gives each value that a record becomes to `take`.
  @inlinable
  mutating func decode(_ record: Record, _ take: (Value) -> Void) throws(CodingError) {
    if record.kindIndex >= decoders.count || decoders[record.kindIndex] == nil { try addDecoder(for: record) }
    guard let decoder = decoders[record.kindIndex] else { return }
    var bytes = ByteReader(record.payload)
    do {
      switch decoder {
      case .one(let decode):
        let value = try decode(&bytes)
        if bytes.remaining != 0 { throw CodingError(record.kind.type, .unreadBytes(bytes.remaining)) }
        take(value)
      case .several(let decode):
        let values = try decode(&bytes)
        if bytes.remaining != 0 { throw CodingError(record.kind.type, .unreadBytes(bytes.remaining)) }
        for value in values { take(value) }
      }
    } catch let error as CodingError {
      throw error
    } catch {
      throw CodingError(record.kind.type, .failed(error))
    }
  }

  @usableFromInline
  mutating func addDecoder(for record: Record) throws(CodingError) {
    while decoders.count <= record.kindIndex { decoders.append(nil) }
    guard let decoder = coding.decoders[record.kind.type] else {
      throw CodingError(record.kind.type, .unknown(readable: coding.readable))
    }
    decoders[record.kindIndex] = decoder
  }
}
