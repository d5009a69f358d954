/// Levels as bars, one a column: `▁▂▅▇█▆`. A gap stands where nothing is known.
struct Graph: Equatable, Sendable {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// The height of each bar from 0 to 1; `nil` for a gap.
  let heights: [Double?]

  init(_ levels: [Double?], scale: Scale) {
    let range = scale.range(of: levels.compactMap { $0 })
    heights = levels.map { level in level.map { Self.height($0, in: range) } }
  }

  /// - Parameter colours: whether high bars are coloured.
  func text(colours: Bool = false) -> String {
    var (text, colour) = ("", Colour.plain)
    for height in heights {
      let next = colours ? height.map(Colour.init(ofHeight:)) ?? .plain : .plain
      if next != colour { text += next.code }
      colour = next
      text.append(height.map { Self.bars[min(Self.bars.count - 1, Int($0 * Double(Self.bars.count)))] } ?? " ")
    }
    return colour == .plain ? text : text + Colour.plain.code
  }

  private static func height(_ level: Double, in range: ClosedRange<Double>) -> Double {
    // Halved first, so that the difference of two huge levels stays finite.
    let span = range.upperBound / 2 - range.lowerBound / 2
    guard span > 0 else { return 0 }
    return min(1, max(0, (level / 2 - range.lowerBound / 2) / span))
  }
}
