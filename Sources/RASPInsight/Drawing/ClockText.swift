/// The times of a run as texts of one form, since the earliest of them: `0:07.250`.
struct ClockText {
  /// The earliest time, in nanoseconds.
  let start: Int
  let decimals: Int
  let hasHours: Bool

  /// Chooses a form that shows all times: with hours if they are needed, and with so many decimals as tell them apart.
  init(_ times: [Int]) {
    start = times.min() ?? 0
    let end = times.max() ?? 0
    hasHours = end.subtractingClamped(start) >= 3_600 * 1_000_000_000
    // A clock of milliseconds gives times that are whole milliseconds since its origin.
    decimals = times.allSatisfy { $0.isMultiple(of: 1_000_000) } ? 3 : 6
  }

  /// A time, since the start.
  func text(_ time: Int) -> String {
    let nanoseconds = max(0, time.subtractingClamped(start))
    let unit = decimals == 3 ? 1_000_000 : 1_000
    let perSecond = 1_000_000_000 / unit
    let (seconds, part) = (nanoseconds / unit).quotientAndRemainder(dividingBy: perSecond)
    let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
    let tail = "\(second.padded(to: 2)).\(part.padded(to: decimals))"
    return hasHours ? "\(minutes / 60):\((minutes % 60).padded(to: 2)):\(tail)" : "\(minutes):\(tail)"
  }

  /// How long something took, in the unit that suits it.
  static func length(_ nanoseconds: Int) -> String {
    let units: [(name: String, size: Int)] = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000)]
    guard let unit = units.first(where: { nanoseconds >= $0.size }) else { return "\(nanoseconds) ns" }
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit.size)
    let tenths = rest / (unit.size / 10)
    return whole >= 100 || tenths == 0 ? "\(whole) \(unit.name)" : "\(whole).\(tenths) \(unit.name)"
  }
}

extension Int {
  /// The difference, as far as an `Int` reaches.
  func subtractingClamped(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }

  /// With zeros in front.
  func padded(to width: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, width - text.count)) + text
  }
}
