/// One line of input, or what is left of one that was too long to keep.
enum Line: Equatable, Sendable {
  /// The bytes between two line ends; never empty.
  case text([UInt8])
  /// A line beyond `LineFramer.longestLine`, of which only the first byte was kept.
  case overlong(firstByte: UInt8)
}

/// Cuts a stream of bytes into lines, however the bytes arrive.
///
/// CR, LF and CRLF all end a line, and empty lines are dropped, so the three need no telling apart. Whatever
/// comes in, no more than `longestLine` bytes are held: a longer line is discarded as it arrives.
struct LineFramer: Sendable {
  /// In bytes. The standard ends a sentence at 82 characters; real devices exceed that, but never by this much.
  static let longestLine = 1024

  private var pending: [UInt8] = []
  private var isOverlong = false

  init() {
    pending.reserveCapacity(Self.longestLine)
  }

  /// Takes in one byte, and returns the line it completes, if it does.
  mutating func append(_ byte: UInt8) -> Line? {
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return finish() }
    if pending.count < Self.longestLine {
      pending.append(byte)
    } else {
      isOverlong = true
    }
    return nil
  }

  /// Returns the line that the end of the input completes: the last line of a file may lack its line end.
  mutating func finish() -> Line? {
    guard let firstByte = pending.first else { return nil }
    defer {
      pending.removeAll(keepingCapacity: true)
      isOverlong = false
    }
    return isOverlong ? .overlong(firstByte: firstByte) : .text(pending)
  }
}
