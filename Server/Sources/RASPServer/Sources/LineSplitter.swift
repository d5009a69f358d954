/// Makes lines of bytes that come in pieces. A line ends with LF, or with CR and LF.
struct LineSplitter {
  /// The most bytes that are kept of a line that has not ended. What is longer comes in several pieces, so that input
  /// without ends of line takes no more memory. A piece may end inside of a character.
  static let longestLine = 1 << 20

  private let limit: Int
  private var half: [UInt8] = []
  /// Whether a piece of the line has been given.
  private var isCut = false

  init(limit: Int = longestLine) {
    self.limit = limit
  }

  /// Takes bytes, and gives the lines that they complete.
  mutating func lines(of bytes: some RandomAccessCollection<UInt8>) -> [String] {
    var lines: [String] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let room = rest.prefix(limit - half.count)
      guard let end = room.firstIndex(of: 10) else {
        half.append(contentsOf: room)
        rest = rest[room.endIndex...]
        if half.count == limit {
          lines.append(take())
          isCut = true
        }
        continue
      }
      half.append(contentsOf: room[..<end])
      if half.last == 13 { half.removeLast() }
      // The end of a line whose last piece was full is no line of its own.
      if !isCut || !half.isEmpty { lines.append(take()) }
      isCut = false
      rest = rest[rest.index(after: end)...]
    }
    return lines
  }

  /// Gives what has come of a line that will not be completed.
  mutating func remainder() -> String? {
    isCut = false
    return half.isEmpty ? nil : take()
  }

  private mutating func take() -> String {
    defer { half.removeAll(keepingCapacity: true) }
    return String(decoding: half, as: UTF8.self)
  }
}
