/// The levels that a field had, by time.
struct History: Equatable, Sendable {
  private struct Sample: Equatable, Sendable {
    let time: Duration
    let level: Double?
  }

  /// How many are kept: more than a window has columns, and than change in a column.
  private static let capacity = 4_096

  let scale: Scale
  private var samples: [Sample] = []

  init(scale: Scale) {
    self.scale = scale
  }

  /// Adds the level that the field has from now on; `nil` if nothing is known. What is not finite is not known.
  mutating func append(_ level: Double?, at time: Duration) {
    let known = level.flatMap { $0.isFinite ? $0 : nil }
    samples.append(Sample(time: time, level: scale == .angle ? unrolled(known) : known))
    if samples.count > Self.capacity { samples.removeFirst(Self.capacity / 4) }
  }

  /// The level at the end of each of so many equal steps of time, the last of which ends at `end`. It is `nil` where
  /// nothing was known.
  ///
  /// - Complexity: O(samples + columns).
  func columns(_ count: Int, of step: Duration, until end: Duration) -> [Double?] {
    var levels: [Double?] = []
    var next = 0
    for column in stride(from: max(0, count) - 1, through: 0, by: -1) {
      let time = end - step * column
      while next < samples.count, samples[next].time <= time { next += 1 }
      levels.append(next > 0 ? samples[next - 1].level : nil)
    }
    return levels
  }

  /// The same direction as an angle that is at most half a turn away from the one before.
  private func unrolled(_ degrees: Double?) -> Double? {
    guard let degrees, let before = samples.last(where: { $0.level != nil })?.level else { return degrees }
    return degrees + ((before - degrees) / 360).rounded() * 360
  }
}
