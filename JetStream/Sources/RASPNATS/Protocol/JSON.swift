import NIOCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// JSON as NATS reads and writes it.
package enum JSON {
  /// Bytes, which stand in JSON in base 64.
  package struct Bytes: Decodable {
    package let bytes: ByteBuffer

    package init(from decoder: any Decoder) throws {
      bytes = ByteBuffer(bytes: try decoder.singleValueContainer().decode(Data.self))
    }
  }

  /// The JSON of a value, with its names as NATS writes them: `num_replicas` for `numReplicas`.
  package static func encode(_ value: some Encodable) -> ByteBuffer {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = .withoutEscapingSlashes
    do {
      return ByteBuffer(bytes: try encoder.encode(value))
    } catch {
      // All of them are texts, numbers and truth values.
      preconditionFailure("What is sent to a server has JSON: \(error)")
    }
  }

  /// Reads a value. Its names are those of the JSON.
  package static func decode<Value: Decodable>(_ type: Value.Type = Value.self, from bytes: ByteBuffer) throws -> Value
  {
    try JSONDecoder().decode(type, from: Data(bytes.readableBytesView))
  }
}
