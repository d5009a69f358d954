#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The toolchain's JSON coder as a file needs it: one way to write, and a limit to what is read.
///
/// Safe to share: both coders are configured once and never changed.
final class JSONCoder: Sendable {
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  init() {
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity",
      negativeInfinity: "-Infinity",
      nan: "NaN"
    )
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "Infinity",
      negativeInfinity: "-Infinity",
      nan: "NaN"
    )
  }

  func append(_ value: some Encodable, to bytes: inout ByteWriter) throws {
    let json = try encoder.encode(value)
    // What could not be read again is not written.
    try json.withUnsafeBytes { try JSONText.check($0) }
    bytes.append(contentsOf: json)
  }

  func read<Value: Decodable>(_ type: Value.Type, from bytes: inout ByteReader) throws -> Value {
    let json = try bytes.readBuffer(bytes.remaining)
    try JSONText.check(json)
    return try decoder.decode(type, from: Data(json))
  }
}
