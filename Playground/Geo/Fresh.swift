/// A value that several instruments report and that is only good for a while.
///
/// The rule that keeps disagreeing instruments from taking turns: a reading replaces one of the same or a lower
/// rank; one of a lower rank is ignored until the better one has gone stale.
struct Fresh<Value: Codable & Sendable>: Codable, Sendable {
  /// How long a reading is good for. Instruments report about once a second.
  static var lifetime: Duration { .seconds(10) }

  /// The newest reading of the best instrument heard lately, or `nil`.
  private(set) var value: Value?
  private var rank = 0
  private var heardAt: Duration = .zero

  /// Takes in a reading, unless a better instrument has the word.
  mutating func hear(_ reading: Value?, rank: Int = 0, at time: Duration) {
    guard let reading, value == nil || rank >= self.rank else { return }
    value = reading
    self.rank = rank
    heardAt = time
  }

  /// Forgets the value.
  mutating func forget() { value = nil }

  /// Forgets a value that has gone stale.
  mutating func expire(at time: Duration) {
    if time - heardAt > Self.lifetime { value = nil }
  }
}
