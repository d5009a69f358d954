import NIOCore
import RASPLogs

/// What stands in the bucket for a partition: the rows, or the names of the parts that have them, and the entry up to
/// which they are folded.
///
/// ```
/// byte 1   the format, 2
/// 8        what tells this commit from all others
/// 8        the offset of the entry
/// 16       its identity
/// 8        when the stream was made that has it, nanoseconds since 1970
/// 4        the number of parts; 0 if the rows stand here
/// 8        the number of bytes of the rows
/// 4        the checksum (CRC-32C) of all before it
/// …        the rows
/// ```
struct CheckpointFormat: Equatable, Sendable {
  static let version: UInt8 = 2
  /// The greatest number of bytes of rows that one message has.
  static let greatestPart = 512 << 10
  private static let headerSize = 53

  var identity: UInt64
  var offset: Int
  var entry: EntryIdentity
  var creation: Int64
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
    bytes.writeInteger(entry.high, endianness: .little)
    bytes.writeInteger(entry.low, endianness: .little)
    bytes.writeInteger(creation, endianness: .little)
    bytes.writeInteger(UInt32(parts), endianness: .little)
    bytes.writeInteger(Int64(count), endianness: .little)
    assert(bytes.readableBytes == Self.headerSize, "The header has a fixed size.")
    bytes.writeInteger(CRC32C.checksum(bytes.readableBytesView), endianness: .little)
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
    guard let version: UInt8 = bytes.getInteger(at: bytes.readerIndex) else { throw Damage(reason: "it is empty") }
    guard version == Self.version else {
      let other = version > Self.version ? ", so a later version has written it" : ""
      throw Damage(
        reason: "it has the format \(version), and this version of RASPJetStream reads \(Self.version)\(other)"
      )
    }
    guard var header = bytes.readSlice(length: Self.headerSize),
      let checksum = bytes.readInteger(endianness: .little, as: UInt32.self)
    else { throw Damage(reason: "it ends early") }
    guard CRC32C.checksum(header.readableBytesView) == checksum else {
      throw Damage(reason: "the checksum of its first bytes is wrong")
    }
    header.moveReaderIndex(forwardBy: 1)
    guard let identity = header.readInteger(endianness: .little, as: UInt64.self),
      let offset = header.readInteger(endianness: .little, as: Int64.self),
      let high = header.readInteger(endianness: .little, as: UInt64.self),
      let low = header.readInteger(endianness: .little, as: UInt64.self),
      let creation = header.readInteger(endianness: .little, as: Int64.self),
      let parts = header.readInteger(endianness: .little, as: UInt32.self),
      let count = header.readInteger(endianness: .little, as: Int64.self), offset >= 0, count >= 0
    else { throw Damage(reason: "it has numbers that cannot be") }
    guard parts > 0 ? bytes.readableBytes == 0 : bytes.readableBytes == count else {
      throw Damage(reason: "it has \(bytes.readableBytes) bytes of rows, and should have \(parts > 0 ? 0 : count)")
    }
    guard parts == 0 || count <= Int64(parts) * Int64(Self.greatestPart) else {
      throw Damage(reason: "\(parts) parts cannot have \(count) bytes of rows")
    }
    self.init(
      identity: identity,
      offset: Int(offset),
      entry: EntryIdentity(high, low),
      creation: creation,
      parts: Int(parts),
      count: Int(count),
      rows: bytes
    )
  }
}

/// The checksum of Castagnoli, byte by byte: it is used for a few bytes.
enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
  }

  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { value, byte in value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
  }
}
