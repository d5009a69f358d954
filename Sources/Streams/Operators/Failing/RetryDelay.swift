/// The time to wait before the next try.
public struct RetryDelay: Sendable {
  private let delay: @Sendable (_ retry: Int) -> Duration
  private let jitter: Double
  private let generator: any RandomNumberGenerator & Sendable

  /// Makes a delay from a closure.
  ///
  /// - Parameters:
  ///   - jitter: the part of each delay that chance may take away, from 0 for none to 1 for all. With jitter, many
  ///     clients of a server that comes back do not all call it at the same instant.
  ///   - generator: the source of chance. Each subscription begins with a copy of it, so a generator with a seed gives
  ///     the same delays every time.
  ///   - delay: gets the number of the retry, which is 0 for the first one. A result that is not positive means no
  ///     wait.
  /// - Complexity: O(1), and the cost of `delay` for each retry.
  public init(
    jitter: Double = 0,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
    _ delay: @escaping @Sendable (_ retry: Int) -> Duration
  ) {
    self.delay = delay
    self.jitter = jitter > 0 ? min(jitter, 1) : 0
    self.generator = generator
  }

  /// Tries again at once.
  ///
  /// - Complexity: O(1) per retry.
  public static let none = RetryDelay { _ in .zero }

  /// Waits the same time before each try.
  ///
  /// - Parameters:
  ///   - delay: the time to wait.
  ///   - jitter: as for ``init(jitter:using:_:)``.
  ///   - generator: as for ``init(jitter:using:_:)``.
  /// - Complexity: O(1) per retry.
  public static func constant(
    _ delay: Duration,
    jitter: Double = 0,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> RetryDelay {
    RetryDelay(jitter: jitter, using: generator) { _ in delay }
  }

  /// Waits longer each time: `first`, then `factor` times as long as before, but never longer than `limit`.
  ///
  /// - Parameters:
  ///   - first: the first delay.
  ///   - factor: the growth from one delay to the next.
  ///   - limit: the longest delay.
  ///   - jitter: as for ``init(jitter:using:_:)``. It only makes a delay shorter, so the limit is kept.
  ///   - generator: as for ``init(jitter:using:_:)``.
  /// - Complexity: O(log (`limit` / `first`)) per retry.
  public static func exponential(
    from first: Duration,
    factor: Int = 2,
    limit: Duration = .seconds(60),
    jitter: Double = 0,
    using generator: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
  ) -> RetryDelay {
    RetryDelay(jitter: jitter, using: generator) { retry in
      var delay = first
      for _ in 0..<max(0, retry) {
        // Stops before the product could overflow, and at once where it would not grow.
        if delay >= limit || delay <= .zero || factor <= 1 { break }
        delay = delay > limit / factor ? limit : delay * factor
      }
      return min(delay, limit)
    }
  }

  /// The delays of one subscription.
  struct Delays: Sendable {
    fileprivate let rule: RetryDelay
    fileprivate var generator: any RandomNumberGenerator & Sendable

    mutating func next(_ retry: Int) -> Duration {
      let delay = rule.delay(retry)
      guard rule.jitter > 0, delay > .zero else { return delay }
      return delay - delay * Double.random(in: 0...rule.jitter, using: &generator)
    }
  }

  func start() -> Delays { Delays(rule: self, generator: generator) }
}
