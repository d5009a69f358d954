#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A control line that is read word by word, in place.
///
/// It lives no longer than the pointer that it was given.
struct ControlLine {
  let bytes: UnsafeRawBufferPointer
  /// Where the next word begins.
  var position: Int
  /// Where the line ends, before its line break.
  let end: Int

  var remaining: Int { end - position }

  var hasSpace: Bool { space(from: position) != nil }

  /// Moves behind these bytes if the line goes on with them.
  mutating func skip(_ text: StaticString) -> Bool {
    guard remaining >= text.utf8CodeUnitCount, let base = bytes.baseAddress,
      memcmp(base + position, text.utf8Start, text.utf8CodeUnitCount) == 0
    else { return false }
    position += text.utf8CodeUnitCount
    return true
  }

  /// Whether the rest of the line is this word, and perhaps spaces.
  func isWord(_ text: StaticString) -> Bool {
    var line = self
    return line.skip(text) && bytes[line.position..<end].allSatisfy { $0 == 32 }
  }

  /// Moves behind the next word and the space after it.
  ///
  /// - Returns: the length of the word.
  mutating func word() -> Int {
    assert(position <= end && end <= bytes.count, "The line is in the bytes, and the position in the line.")
    let start = position
    if let space = space(from: position) {
      position = space + 1
      return space - start
    }
    position = end
    return end - start
  }

  /// Moves behind the next word, which must be a number that a length of memory can be.
  mutating func number() -> UInt64? {
    var value: UInt64 = 0
    let start = position
    while position < end {
      let byte = bytes[position]
      if byte == 32 { break }
      guard byte >= 48, byte <= 57, position - start < 18 else { return nil }
      value = value * 10 + UInt64(byte - 48)
      position += 1
    }
    guard position > start else { return nil }
    if position < end { position += 1 }
    return value
  }

  /// The first bytes of the line, for an error.
  var excerpt: String {
    String(decoding: bytes[0..<min(end, 80)], as: UTF8.self)
  }

  private func space(from start: Int) -> Int? {
    guard start < end, let base = bytes.baseAddress, let found = memchr(base + start, 32, end - start) else {
      return nil
    }
    return found - UnsafeMutableRawPointer(mutating: base)
  }
}
