/// The table of what the programs say: a line for ten seeds, a column for each kind.
///
/// Ten, because then the table is small, and a change of one promise is a diff that can be read. Which of the ten it is
/// says `Outside seeds`.
enum Hashes {
  static let seedsInLine = 10
  static let lineCount = 200

  static var head: String { "seeds     " + Kind.all.map { column($0.name) }.joined() }

  static func seeds(ofLine line: Int) -> Range<Int> { line * seedsInLine..<(line + 1) * seedsInLine }

  private static func column(_ text: String) -> String {
    String(repeating: " ", count: max(1, 9 - text.count)) + text
  }

  static func text(_ hash: UInt64) -> String {
    let digits = String(UInt32(truncatingIfNeeded: hash ^ (hash >> 32)), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The columns of a line as they are now.
  static func columns(ofLine line: Int) async -> [String] {
    var columns: [String] = []
    for kind in Kind.all {
      var hash: UInt64 = 0
      for seed in seeds(ofLine: line) { hash = hash &* 0x0000_0100_0000_01B3 ^ (await kind.transcript(of: seed).hash) }
      columns.append(text(hash))
    }
    return columns
  }

  static func row(_ line: Int, _ columns: [String]) -> String {
    let seeds = "\(seeds(ofLine: line))"
    return seeds + String(repeating: " ", count: max(0, 10 - seeds.count)) + columns.map(column).joined()
  }

  /// Compares one line in so many with the table, and prints what differs, as it would be asked for.
  static func areEqual(to table: [String], each stride: Int) async -> Bool {
    guard table.first?.split(separator: " ") == head.split(separator: " "), table.count == lineCount + 1 else {
      print("The table is of other kinds, or has another number of lines.")
      return false
    }
    var areEqual = true
    for line in Swift.stride(from: 0, to: lineCount, by: stride) {
      let known = table[line + 1].split(separator: " ").dropFirst().map(String.init)
      for (index, column) in await columns(ofLine: line).enumerated() where known.dropFirst(index).first != column {
        let seeds = seeds(ofLine: line)
        print("differs: seeds \(Kind.all[index].name) \(seeds.lowerBound) \(seeds.upperBound)")
        areEqual = false
      }
    }
    return areEqual
  }
}
