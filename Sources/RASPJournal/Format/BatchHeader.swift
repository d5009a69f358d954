/// The 40 bytes before the body of a batch. A batch is written at once, and its checksum holds for all of it.
///
/// ```
///  0  4  salt of the file                       16  8  number of the first event
///  4  4  length of the body                     24  8  wall time, ns since 1970, never smaller than before
///  8  4  number of events in the body           32  4  checksum of the batch before; of the file header, if first
/// 12  4  CRC-32C of the other 36 bytes          36  4  how many events back the newest durable one is;
///        and the body                                  0: all events before this batch are durable
/// ```
///
/// A batch without a body ends the file.
struct BatchHeader: Equatable, Sendable {
  static let size = 40

  var salt: UInt32
  var length: UInt32
  var count: UInt32
  var firstEvent: UInt64
  var wallTime: UInt64
  var link: UInt32
  var durable: UInt32 = 0

  /// Writes the header into the first 40 bytes of a batch, whose body follows.
  ///
  /// - Returns: the checksum, which is the link of the next batch.
  func write(into batch: UnsafeMutableRawBufferPointer) -> UInt32 {
    assert(batch.count == Self.size + Int(length), "a batch of another length")
    batch.put(salt, at: 0)
    batch.put(length, at: 4)
    batch.put(count, at: 8)
    batch.put(firstEvent, at: 16)
    batch.put(wallTime, at: 24)
    batch.put(link, at: 32)
    batch.put(durable, at: 36)
    let bytes = UnsafeRawBufferPointer(batch)
    var checksum = CRC32C()
    Self.add(bytes.part(0..<Self.size), to: &checksum)
    checksum.add(bytes.part(Self.size..<bytes.count))
    batch.put(checksum.value, at: 12)
    return checksum.value
  }

  /// The checksum in the 40 bytes.
  static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 { bytes.integer(at: 12, UInt32.self) }

  /// Adds the 40 bytes to a checksum, without the checksum that is in them.
  static func add(_ bytes: UnsafeRawBufferPointer, to checksum: inout CRC32C) {
    checksum.add(bytes.part(0..<12))
    checksum.add(bytes.part(16..<size))
  }
}

extension BatchHeader {
  /// Reads the 40 bytes. They mean nothing before the checksum has been compared.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      salt: bytes.integer(at: 0, UInt32.self),
      length: bytes.integer(at: 4, UInt32.self),
      count: bytes.integer(at: 8, UInt32.self),
      firstEvent: bytes.integer(at: 16, UInt64.self),
      wallTime: bytes.integer(at: 24, UInt64.self),
      link: bytes.integer(at: 32, UInt32.self),
      durable: bytes.integer(at: 36, UInt32.self)
    )
  }
}
