/// How the levels of a field become the heights of a graph.
enum Scale: Equatable, Sendable {
  /// From 0 to 1, whatever the levels are.
  case fraction
  /// From about the least to about the greatest level: one that is far off does not flatten the rest.
  case amount
  /// Degrees of a circle. A turn past north goes on, and does not jump.
  case angle

  /// The levels at the lower and at the upper edge of a graph.
  func range(of levels: [Double]) -> ClosedRange<Double> {
    guard self != .fraction else { return 0...1 }
    let sorted = levels.sorted()
    guard let least = sorted.first, let greatest = sorted.last else { return 0...1 }
    // All but a twentieth at each end.
    let (low, high) = (sorted[sorted.count / 20], sorted[sorted.count - 1 - sorted.count / 20])
    let range = low < high ? low...high : least...greatest
    guard range.lowerBound == range.upperBound else { return range }
    // What does not change is a line in the middle, and nothing at all is one at the bottom.
    if range.lowerBound >= 0 { return 0...max(2 * range.lowerBound, 1) }
    let margin = max(range.lowerBound.magnitude, 1)
    return range.lowerBound - margin...range.upperBound + margin
  }
}
