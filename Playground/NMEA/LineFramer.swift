/// One line of input, or what is left of one that was too long to keep.
enum Line: Equatable, Sendable {
  /// The bytes of a line; never empty.
  case text([UInt8])
  /// A line beyond `LineFramer.longestLine`, of which only the first byte was kept, and the count of its bytes.
  case overlong(firstByte: UInt8, count: Int)
}

/// Cuts a stream of bytes into lines, however the bytes arrive.
///
/// CR, LF and CRLF all end a line, and empty lines are dropped, so the three need no telling apart. A `$` begins a
/// line, wherever it stands: the standard keeps it for the beginning of a sentence, so what is in front of it is noise
/// or a sentence that was cut off. Only a comment, which begins with `#` and holds more than that, goes on to its line
/// end.
///
/// Whatever comes in, no more than `longestLine` bytes are held: a longer line is discarded as it arrives.
struct LineFramer: Sendable {
  /// In bytes. The standard ends a sentence at 82 characters; real devices exceed that, but never by this much.
  static let longestLine = 1024

  private var pending: [UInt8] = []
  /// How many bytes of the line were not kept.
  private var discarded = 0

  init() {
    pending.reserveCapacity(Self.longestLine)
  }

  /// Takes in one byte, and returns the line that it shows to be complete, if it does.
  mutating func append(_ byte: UInt8) -> Line? {
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return finish() }
    let line = beginsSentence(byte) ? finish() : nil
    if pending.count < Self.longestLine {
      pending.append(byte)
    } else {
      discarded += 1
    }
    return line
  }

  /// Returns the line that the end of the input completes: the last line of a file may lack its line end.
  mutating func finish() -> Line? {
    guard let firstByte = pending.first else { return nil }
    defer {
      pending.removeAll(keepingCapacity: true)
      discarded = 0
    }
    return discarded > 0 ? .overlong(firstByte: firstByte, count: pending.count + discarded) : .text(pending)
  }

  /// A `!`, which begins a sentence as well, may stand in the text of another one.
  private func beginsSentence(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "$"): pending.first != UInt8(ascii: "#") || pending.count == 1
    case UInt8(ascii: "!"): ![UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "!")].contains(pending.first)
    default: false
    }
  }
}
