/// How long a client waits before it connects again.
///
/// A round goes over all servers that are known. After the n-th round without success the client waits
/// `first × 2ⁿ`, but not longer than `greatest`; the jitter takes a random part off, so that many clients do not come
/// back at the same moment.
public struct NATSBackoff: Sendable, Equatable {
  /// The time after the first round.
  public var first: Duration
  /// The longest time.
  public var greatest: Duration
  /// The greatest part of the time that is taken off by chance, from 0 to 1.
  public var jitter: Double
  /// The number of rounds after which the client gives up and is closed; `nil` for no end.
  public var rounds: Int?

  /// Makes a policy.
  public init(
    first: Duration = .milliseconds(50),
    greatest: Duration = .seconds(5),
    jitter: Double = 0.5,
    rounds: Int? = nil
  ) {
    self.first = first
    self.greatest = greatest
    self.jitter = min(max(jitter, 0), 1)
    self.rounds = rounds
  }

  /// The time to wait after rounds without success.
  ///
  /// - Parameter chance: a number from 0 to 1.
  func delay(afterRounds rounds: Int, chance: Double) -> Duration {
    assert((0...1).contains(chance), "The chance is a part of the jitter.")
    // Thirty doublings of a nanosecond are more than a second, and none of them overflows.
    let doubled = first * (1 << min(max(rounds - 1, 0), 30))
    return min(doubled, greatest) * (1 - jitter * chance)
  }
}
