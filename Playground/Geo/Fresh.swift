/// A value that several instruments report and that is only good for a while.
///
/// The rule that keeps disagreeing instruments from taking turns: a reading replaces one of the same or a lower
/// rank; one of a lower rank is ignored until the better one has gone stale.
struct Fresh<Value: Sendable>: Sendable {
  /// The newest reading of the best instrument heard lately, or `nil`.
  private(set) var value: Value?
  private var rank = 0
  private var talker = ""
  /// When it was heard last.
  private(set) var heardAt: Duration = .zero

  /// Takes in a reading, unless a better instrument has the word.
  ///
  /// - Parameter talker: who says it, if that is of interest later.
  mutating func hear(_ reading: Value, rank: Int = 0, from talker: String = "", at time: Duration) {
    guard value == nil || rank >= self.rank else { return }
    value = reading
    self.rank = rank
    self.talker = talker
    heardAt = time
  }

  /// Forgets a value that this talker has said.
  mutating func forget(from talker: String) {
    if self.talker == talker { value = nil }
  }

  /// Forgets a value heard longer than `lifetime` before `time`.
  mutating func expire(at time: Duration, lifetime: Duration) {
    if value != nil, time - heardAt > lifetime { value = nil }
  }
}

extension Fresh: Equatable where Value: Equatable {}
extension Fresh: Codable where Value: Codable {}
