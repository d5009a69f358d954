/// Base 32 as in RFC 4648, without padding: the form of the keys of NATS.
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// The bytes of a text; `nil` if it has another character, or bits at its end that belong to no byte.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var groups: [UInt8] = []
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      groups.append(UInt8(value))
    }
    let (bytes, rest, count) = regroup(groups, from: 5, to: 8)
    return count < 5 && rest == 0 ? bytes : nil
  }

  /// The text of bytes.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    let (groups, rest, count) = regroup(bytes, from: 8, to: 5)
    let last = count > 0 ? [UInt8(rest << UInt32(5 - count))] : []
    return String(decoding: (groups + last).map { alphabet[Int($0)] }, as: UTF8.self)
  }

  /// Makes groups of bits of others.
  ///
  /// - Returns: the groups that are full, and the bits that are left over, with their number.
  private static func regroup(
    _ groups: some Sequence<UInt8>,
    from old: UInt32,
    to new: UInt32
  ) -> (groups: [UInt8], rest: UInt32, count: UInt32) {
    var (result, bits, count): ([UInt8], UInt32, UInt32) = ([], 0, 0)
    for group in groups {
      bits = bits << old | UInt32(group)
      count += old
      while count >= new {
        count -= new
        result.append(UInt8(bits >> count))
        bits &= (1 << count) - 1
      }
    }
    return (result, bits, count)
  }
}

/// The checksum in the keys of NATS: CRC-16 with the polynomial 0x1021, from 0 (XMODEM).
enum CRC16 {
  static func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
    var checksum: UInt16 = 0
    for byte in bytes {
      checksum ^= UInt16(byte) << 8
      for _ in 0..<8 {
        checksum = checksum & 0x8000 != 0 ? checksum << 1 ^ 0x1021 : checksum << 1
      }
    }
    return checksum
  }
}
