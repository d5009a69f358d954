/// Cuts a stream of bytes into lines, however the bytes arrive.
///
/// CR, LF and CRLF all end a line, and empty lines are dropped, so the three need no telling apart. A `$` begins a
/// line, wherever it stands: the standard keeps it for the beginning of a sentence, so what is in front of it is noise
/// or a sentence that was cut off. Only a comment, which begins with `#` and holds more than that, goes on to its line
/// end.
struct LineFramer: Sendable {
  /// In bytes. The standard ends a sentence at 82 characters; real devices exceed that, but never by this much. Of a
  /// longer line one byte more is kept, whatever comes in.
  static let longestLine = 1024

  private var pending: [UInt8] = []

  /// Takes in one byte, and returns the line that it shows to be complete, if it does.
  mutating func append(_ byte: UInt8) -> [UInt8]? {
    if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return finish() }
    let beginsSentence = byte == UInt8(ascii: "$") && (pending.first != UInt8(ascii: "#") || pending.count == 1)
    let line = beginsSentence ? finish() : nil
    if pending.count <= Self.longestLine { pending.append(byte) }
    return line
  }

  /// Returns the line that the end of the input completes: the last line of a file may lack its line end.
  mutating func finish() -> [UInt8]? {
    defer { pending.removeAll(keepingCapacity: true) }
    return pending.isEmpty ? nil : pending
  }
}
