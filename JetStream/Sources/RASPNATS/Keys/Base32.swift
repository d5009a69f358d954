/// Base 32 as in RFC 4648, without the signs that fill up: the form of the keys of NATS.
enum Base32 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

  /// The bytes of a text; `nil` if it has another character, or bits at its end that belong to no byte.
  static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for character in text {
      guard let value = alphabet.firstIndex(of: character) else { return nil }
      bits = bits << 5 | UInt32(value)
      count += 5
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return count < 5 && bits == 0 ? bytes : nil
  }

  /// The text of bytes.
  static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 5 {
        count -= 5
        text.append(alphabet[Int(bits >> UInt32(count)) & 31])
      }
      bits &= (1 << UInt32(count)) - 1
    }
    if count > 0 {
      text.append(alphabet[Int(bits << UInt32(5 - count)) & 31])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
