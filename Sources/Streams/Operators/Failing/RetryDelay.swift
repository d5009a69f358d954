/// The time to wait before the next try.
public struct RetryDelay: Sendable {
  private let delay: @Sendable (_ retry: Int) -> Duration

  /// Makes a delay from a closure.
  ///
  /// - Parameter delay: gets the number of the retry, which is 0 for the first one. A result that is not positive means
  ///   no wait.
  /// - Complexity: O(1), and the cost of `delay` for each retry.
  public init(_ delay: @escaping @Sendable (_ retry: Int) -> Duration) {
    self.delay = delay
  }

  /// Tries again at once.
  ///
  /// - Complexity: O(1) per retry.
  public static let none = RetryDelay { _ in .zero }

  /// Waits the same time before each try.
  ///
  /// - Complexity: O(1) per retry.
  public static func constant(_ delay: Duration) -> RetryDelay {
    RetryDelay { _ in delay }
  }

  /// Waits longer each time: `first`, then `factor` times as long as before, but never longer than `limit`.
  ///
  /// - Complexity: O(log (`limit` / `first`)) per retry.
  public static func exponential(
    from first: Duration,
    factor: Int = 2,
    limit: Duration = .seconds(60)
  ) -> RetryDelay {
    RetryDelay { retry in
      var delay = first
      for _ in 0..<max(0, retry) {
        // Stops before the product could overflow, and at once where it would not grow.
        if delay >= limit || delay <= .zero || factor <= 1 { break }
        delay = delay > limit / factor ? limit : delay * factor
      }
      return min(delay, limit)
    }
  }

  func callAsFunction(_ retry: Int) -> Duration { delay(retry) }
}
