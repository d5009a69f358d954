/// The last values of a field, drawn one character each: `▁▂▅▇█▆`.
struct Sparkline: Equatable, Sendable {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// How many values are kept.
  let width: Int
  private var levels: [Double?] = []

  init(width: Int) {
    self.width = max(0, width)
  }

  /// Adds a value on the right; `nil` leaves a gap.
  mutating func append(_ level: Double?) {
    levels.append(level.flatMap { $0.isFinite ? $0 : nil })
    if levels.count > width { levels.removeFirst(levels.count - width) }
  }

  /// The values between the least and the greatest of them; values that are all alike make a low line.
  var text: String {
    let known = levels.compactMap { $0 }
    guard let least = known.min(), let greatest = known.max() else {
      return String(repeating: " ", count: levels.count)
    }
    return String(
      levels.map { level -> Character in
        guard let level else { return " " }
        return Self.bars[Self.bar(level, least: least, greatest: greatest)]
      }
    )
  }

  private static func bar(_ level: Double, least: Double, greatest: Double) -> Int {
    // Halved first, so that the difference of two huge values stays finite.
    let span = greatest / 2 - least / 2
    guard span > 0 else { return 0 }
    let fraction = (level / 2 - least / 2) / span
    return min(bars.count - 1, max(0, Int(fraction * Double(bars.count))))
  }
}
