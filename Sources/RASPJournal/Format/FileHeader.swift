import Aggregate
import RASPHistory

/// The first 64 bytes of a file.
///
/// ```
///  0  8  magic: 89 'RASPJ' 0D 0A      24  8  wall time, ns since 1970
///  8  2  format: 1                    32 16  identity of the journal
/// 10  2  content                      48  4  checksum of the last batch with a body of the file before
/// 12  4  salt                         52  4  what a reader may ignore: 0
///                                     56  4  what a reader must understand: 0
/// 16  8  number of the first event    60  4  CRC-32C of the bytes 0 to 59
/// ```
struct FileHeader: Equatable, Sendable {
  /// What a file is for.
  enum Content: UInt16, Sendable {
    /// Events of a journal.
    case segment = 0
    /// The state of a journal after an event.
    case snapshot = 1
    /// A recording, complete in itself.
    case recording = 2
  }

  static let size = 64
  static let format = FileFailure.format
  private static let magic: [UInt8] = [0x89] + Array("RASPJ\r\n".utf8)

  var content: Content
  /// In each batch again, so that a batch of another file is found.
  var salt: UInt32
  var firstEvent: UInt64
  /// Nanoseconds since 1970.
  var wallTime: UInt64
  /// The same in all files of one journal.
  var identity: UInt128
  /// The checksum of the last batch with a body of the file before; 0 if there is none.
  var link: UInt32 = 0

  /// The 64 bytes. Their last four are the link of the first batch.
  func encoded() -> [UInt8] {
    var writer = ByteWriter()
    writer.append(contentsOf: Self.magic)
    writer.append(Self.format)
    writer.append(content.rawValue)
    writer.append(salt)
    writer.append(firstEvent)
    writer.append(wallTime)
    writer.append(identity)
    writer.append(link)
    writer.append(UInt64(0))
    writer.append(CRC32C.of(writer.bytes))
    return writer.bytes
  }

  /// The checksum in the 64 bytes.
  static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 { bytes.integer(at: 60, UInt32.self) }
}

extension FileHeader {
  /// Reads the first bytes of a file.
  init(from input: inout FileInput) throws(FileFailure) {
    var bytes: [UInt8] = []
    try input.read(Self.size, into: &bytes)
    self = try bytes.withUnsafeBufferPointer { (bytes) throws(FileFailure) in
      try FileHeader(UnsafeRawBufferPointer(bytes))
    }
  }

  /// Reads the 64 bytes.
  init(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    guard bytes.prefix(Self.magic.count).elementsEqual(Self.magic) else { throw FileFailure(at: 0, .notOurs) }
    guard bytes.count >= Self.size else { throw FileFailure(at: bytes.count, .endsEarly) }
    // Another format may have its checksum elsewhere, so its number is looked at first.
    let format = bytes.integer(at: 8, UInt16.self)
    guard format == Self.format else { throw FileFailure(at: 8, .format(Int(format))) }
    var checksum = CRC32C()
    checksum.add(bytes.part(0..<60))
    guard checksum.value == Self.checksum(of: bytes) else { throw FileFailure(at: 0, .checksum) }
    let content = bytes.integer(at: 10, UInt16.self)
    let flags = bytes.integer(at: 56, UInt32.self)
    guard flags == 0 else { throw FileFailure(at: 56, .later("the flags \(flags)")) }
    guard let known = Content(rawValue: content) else { throw FileFailure(at: 10, .later("the content \(content)")) }
    self.init(
      content: known,
      salt: bytes.integer(at: 12, UInt32.self),
      firstEvent: bytes.integer(at: 16, UInt64.self),
      wallTime: bytes.integer(at: 24, UInt64.self),
      identity: bytes.integer(at: 32, UInt128.self),
      link: bytes.integer(at: 48, UInt32.self)
    )
  }
}

/// What makes one file different from another.
package struct FileStamp: Sendable {
  let salt: UInt32
  let wallTime: UInt64
  let identity: UInt128

  package init(salt: UInt32, wallTime: UInt64, identity: UInt128) {
    self.salt = salt
    self.wallTime = wallTime
    self.identity = identity
  }

  static var now: FileStamp {
    FileStamp(salt: .random(in: .min ... .max), wallTime: WallClock.now, identity: .random(in: .min ... .max))
  }
}
