/// A picture of dots in characters of two by four dots each.
struct BrailleCanvas: Equatable, Sendable {
  /// The bit of each dot of a character, row by row.
  private static let bits: [UInt32] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]

  let columns: Int
  let rows: Int
  private var cells: [UInt32]

  init(columns: Int, rows: Int) {
    self.columns = max(0, columns)
    self.rows = max(0, rows)
    cells = Array(repeating: 0, count: self.columns * self.rows)
  }

  /// The size in dots.
  var width: Int { columns * 2 }
  var height: Int { rows * 4 }

  /// Sets a dot, counted from the upper left corner. One that is outside is left out.
  mutating func set(x: Int, y: Int) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    cells[y / 4 * columns + x / 2] |= Self.bits[y % 4 * 2 + x % 2]
  }

  /// The lines, from above.
  var lines: [String] {
    (0..<rows).map { row in
      String(
        String.UnicodeScalarView(
          cells[row * columns..<(row + 1) * columns].compactMap { $0 == 0 ? " " : Unicode.Scalar(0x2800 + $0) }
        )
      )
    }
  }
}
