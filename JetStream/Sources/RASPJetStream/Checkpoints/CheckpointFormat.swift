import NIOCore

/// What stands in the bucket for a partition: the rows, or the names of the parts that have them, and the offset up to
/// which they are folded.
///
/// ```
/// byte 1   the format, 1
/// 8        what tells this commit from all others
/// 8        the offset
/// 4        the number of parts; 0 if the rows stand here
/// 8        the number of bytes of the rows
/// …        the rows
/// ```
struct CheckpointFormat: Equatable, Sendable {
  static let version: UInt8 = 1
  /// The greatest number of bytes of rows that one message has.
  static let greatestPart = 512 << 10

  var identity: UInt64
  var offset: Int
  var parts: Int
  var count: Int
  var rows: ByteBuffer

  /// The name of the parts.
  var name: String { String(identity, radix: 36) }

  var bytes: ByteBuffer {
    assert(rows.readableBytes == (parts == 0 ? count : 0), "The rows stand here or in parts.")
    var bytes = ByteBuffer()
    bytes.writeInteger(Self.version)
    bytes.writeInteger(identity, endianness: .little)
    bytes.writeInteger(Int64(offset), endianness: .little)
    bytes.writeInteger(UInt32(parts), endianness: .little)
    bytes.writeInteger(Int64(count), endianness: .little)
    bytes.writeImmutableBuffer(rows)
    return bytes
  }
}

extension CheckpointFormat {
  /// Why bytes are no checkpoint.
  struct Damage: Error {
    var reason: String
  }

  init(_ bytes: ByteBuffer) throws(Damage) {
    var bytes = bytes
    guard let version: UInt8 = bytes.readInteger() else { throw Damage(reason: "it is empty") }
    guard version == Self.version else {
      throw Damage(reason: "it has the format \(version), and this version of RASPJetStream reads \(Self.version)")
    }
    guard let identity = bytes.readInteger(endianness: .little, as: UInt64.self),
      let offset = bytes.readInteger(endianness: .little, as: Int64.self),
      let parts = bytes.readInteger(endianness: .little, as: UInt32.self),
      let count = bytes.readInteger(endianness: .little, as: Int64.self), offset >= 0, count >= 0
    else { throw Damage(reason: "it ends early") }
    guard parts > 0 ? bytes.readableBytes == 0 : bytes.readableBytes == count else {
      throw Damage(reason: "it has \(bytes.readableBytes) bytes of rows, and should have \(parts > 0 ? 0 : count)")
    }
    guard parts == 0 || count <= Int64(parts) * Int64(Self.greatestPart) else {
      throw Damage(reason: "\(parts) parts cannot have \(count) bytes of rows")
    }
    self.init(identity: identity, offset: Int(offset), parts: Int(parts), count: Int(count), rows: bytes)
  }
}
