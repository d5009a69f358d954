import RASPHistory
/// The checksum CRC-32C (Castagnoli), as iSCSI, ext4 and Kafka use it: sixteen bytes in one step.
///
/// The checksum of the text `123456789` is `E3069283`.
struct CRC32C {
  private var remainder = UInt32.max

  /// The checksum of all bytes that were added.
  var value: UInt32 { ~remainder }

  static func of(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32C()
    bytes.withUnsafeBytes { checksum.add($0) }
    return checksum.value
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    // By its address, so that no step looks whether an index is inside.
    remainders.withUnsafeBufferPointer { add(bytes.count, from: start, with: $0.baseAddress.unsafelyUnwrapped) }
  }

  private mutating func add(_ count: Int, from start: UnsafeRawPointer, with tables: UnsafePointer<UInt32>) {
    var next = start
    var left = count
    var remainder = remainder
    while left >= 16 {
      let first = UInt64(littleEndian: next.loadUnaligned(as: UInt64.self)) ^ UInt64(remainder)
      let second = UInt64(littleEndian: next.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      remainder = tables.fold(first, from: 0x800) ^ tables.fold(second, from: 0)
      next += 16
      left &-= 16
    }
    while left > 0 {
      let index = UInt8(truncatingIfNeeded: remainder) ^ next.load(as: UInt8.self)
      remainder = remainder >> 8 ^ tables[Int(index)]
      next += 1
      left &-= 1
    }
    self.remainder = remainder
  }
}

extension UnsafePointer<UInt32> {
  /// What eight bytes leave that `table / 256` bytes follow. Its two halves do not wait for each other.
  @inline(__always)
  fileprivate func fold(_ word: UInt64, from table: Int) -> UInt32 {
    let low =
      self[table | 0x700 | Int(truncatingIfNeeded: word & 0xFF)]
      ^ self[table | 0x600 | Int(truncatingIfNeeded: word >> 8 & 0xFF)]
      ^ self[table | 0x500 | Int(truncatingIfNeeded: word >> 16 & 0xFF)]
      ^ self[table | 0x400 | Int(truncatingIfNeeded: word >> 24 & 0xFF)]
    let high =
      self[table | 0x300 | Int(truncatingIfNeeded: word >> 32 & 0xFF)]
      ^ self[table | 0x200 | Int(truncatingIfNeeded: word >> 40 & 0xFF)]
      ^ self[table | 0x100 | Int(truncatingIfNeeded: word >> 48 & 0xFF)]
      ^ self[table | Int(truncatingIfNeeded: word >> 56)]
    return low ^ high
  }
}

/// Table `n` holds the remainder of each byte that `n` zero bytes follow.
private let remainders: [UInt32] = {
  var tables = [UInt32](repeating: 0, count: 16 * 256)
  for byte in 0..<256 {
    var remainder = UInt32(byte)
    for _ in 0..<8 {
      remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0x82F6_3B78 : remainder >> 1
    }
    tables[byte] = remainder
  }
  for index in 256..<16 * 256 {
    let before = tables[index - 256]
    tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
  }
  return tables
}()
