/// A key that was pressed on a terminal.
enum TerminalKey: Equatable, Sendable {
  case character(Character)
  case backspace
  case tab
  case escape
  case left
  case right
  /// `^D`: the end of the input.
  case end

  /// The keys in a chunk of bytes, as a terminal sends them.
  ///
  /// A key that is not known here, such as F1, comes as a sequence of characters that begins with an escape. It
  /// comes in one chunk, and an escape that was pressed is the last of its chunk.
  static func keys(in chunk: [UInt8]) -> [TerminalKey] {
    var keys: [TerminalKey] = []
    var rest = chunk[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
        rest.removeFirst()
        // Parameters, and then the byte that ends the sequence.
        var last: UInt8?
        while let next = rest.popFirst() {
          last = next
          if (0x40...0x7E).contains(next) { break }
        }
        if last == UInt8(ascii: "D") { keys.append(.left) }
        if last == UInt8(ascii: "C") { keys.append(.right) }
      case 0x1B: keys.append(.escape)
      case 0x04: keys.append(.end)
      case 0x08, 0x7F: keys.append(.backspace)
      case 0x09: keys.append(.tab)
      case 0x20...0x7E: keys.append(.character(Character(Unicode.Scalar(byte))))
      default: break
      }
    }
    return keys
  }
}
