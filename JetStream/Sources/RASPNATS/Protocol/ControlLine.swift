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
    guard remaining >= text.utf8CodeUnitCount, bytes.has(text, at: position) else { return false }
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
    let start = position
    let length = word()
    return bytes.decimal(from: start, to: start + length).map(UInt64.init)
  }

  /// The first bytes of the line, for an error.
  var excerpt: String {
    String(decoding: bytes[0..<min(end, 80)], as: UTF8.self)
  }

  private func space(from start: Int) -> Int? { bytes.firstIndex(of: 32, from: start, to: end) }
}
