/// How many events come in a second, counted over the last few seconds.
struct EventRate: Equatable, Sendable {
  private static let window: Duration = .seconds(4)

  private var counts: [(time: Duration, count: Int)] = []

  /// Takes in how many events there have been so far.
  mutating func update(_ count: Int, at time: Duration) {
    counts.append((time, count))
    while counts.count > 2, counts[1].time <= time - Self.window { counts.removeFirst() }
  }

  /// `nil` until some time has passed.
  var perSecond: Double? {
    guard let first = counts.first, let last = counts.last, last.time - first.time >= .seconds(1) else { return nil }
    return Double(last.count - first.count) / ((last.time - first.time) / .seconds(1))
  }

  static func == (one: EventRate, other: EventRate) -> Bool {
    one.counts.elementsEqual(other.counts) { $0 == $1 }
  }
}
