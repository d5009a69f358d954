/// The checksum of Castagnoli, byte by byte: it is used for a few bytes.
enum CRC32C {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
  }

  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(~0) { value, byte in value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] }
  }
}
