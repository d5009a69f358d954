extension Observable {
  /// Sends at most the first `count` values, then finishes and cancels upstream.
  ///
  ///     source  a-b-c-d|
  ///     result  a-[b|]    prefix(2)
  ///
  /// The end comes with the last value, not when upstream would send one more. With a `count` of zero or less the
  /// stream finishes at once, and upstream is never subscribed to.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public func prefix(_ count: Int) -> Observable {
    guard count > 0 else { return Observable(attach: { $0.end(.finished) }) }
    return handleValues(with: { count }) { remaining, value, observer in
      // Counted down first: a value that arrives in spite of the end must not pass.
      guard remaining > 0 else { return }
      remaining -= 1
      let isLast = remaining == 0
      observer.send(value)
      if isLast { observer.end(.finished) }
    }
  }
}
