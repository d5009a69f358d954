/// The times of a run as texts of one form, since the earliest of them: `0:07.250`.
struct ClockText {
  /// The earliest time, in nanoseconds.
  let start: Int64
  let decimals: Int
  let hasHours: Bool

  /// Chooses a form that shows all times: with hours if they are needed, and with so many decimals as tell them apart.
  init(_ times: [Int64]) {
    start = times.min() ?? 0
    let end = times.max() ?? 0
    hasHours = end.subtractingClamped(start) >= 3_600 * 1_000_000_000
    // A clock of milliseconds gives times that are whole milliseconds since its origin.
    decimals = times.allSatisfy { $0.isMultiple(of: 1_000_000) } ? 3 : 6
  }

  /// A time, since the start.
  func text(_ time: Int64) -> String {
    let nanoseconds = max(0, time.subtractingClamped(start))
    let unit: Int64 = decimals == 3 ? 1_000_000 : 1_000
    let perSecond = 1_000_000_000 / unit
    let (seconds, part) = (nanoseconds / unit).quotientAndRemainder(dividingBy: perSecond)
    let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
    let tail = "\(second.padded(to: 2)).\(part.padded(to: decimals))"
    return hasHours ? "\(minutes / 60):\((minutes % 60).padded(to: 2)):\(tail)" : "\(minutes):\(tail)"
  }

  /// How long something took, in the unit that suits it.
  static func length(_ nanoseconds: Int64) -> String {
    let units: [(name: String, size: Int64)] = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000)]
    guard let unit = units.first(where: { nanoseconds >= $0.size }) else { return "\(nanoseconds) ns" }
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: unit.size)
    let tenths = rest / (unit.size / 10)
    return whole >= 100 || tenths == 0 ? "\(whole) \(unit.name)" : "\(whole).\(tenths) \(unit.name)"
  }
}

extension Int64 {
  /// The difference, as far as an `Int64` reaches.
  func subtractingClamped(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }

  /// The sum, as far as an `Int64` reaches.
  func addingClamped(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : sum
  }
}

extension BinaryInteger {
  /// With zeros in front.
  func padded(to width: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, width - text.count)) + text
  }
}

/// A wall time as text: `2026-11-22 14:03:07.120 UTC`.
///
/// - Parameters:
///   - nanoseconds: the time since 1970.
///   - decimals: of the seconds, three or six.
func wallText(_ nanoseconds: Int64, _ decimals: Int) -> String {
  func split(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
  let (seconds, part) = split(nanoseconds, by: 1_000_000_000)
  let (day, second) = split(seconds, by: 86_400)
  // Years begin in March here, so that the leap day is the last one; an era has 400 years.
  let (era, dayOfEra) = split(day + 719_468, by: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shifted = (5 * dayOfYear + 2) / 153
  let month = shifted < 10 ? shifted + 3 : shifted - 9
  let date = [month, dayOfYear - (153 * shifted + 2) / 5 + 1].map { $0.padded(to: 2) }
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.padded(to: 2) }.joined(separator: ":")
  let fraction = (part / (decimals == 3 ? 1_000_000 : 1_000)).padded(to: decimals)
  return "\(year)-\(date.joined(separator: "-")) \(time).\(fraction) UTC"
}
