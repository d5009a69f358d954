extension ObservableConvertible {
  /// Waits for the first value.
  ///
  ///     let fix = await gps.first(within: .seconds(10))
  ///
  /// - Parameters:
  ///   - limit: the longest time to wait; `nil` for any time.
  ///   - scheduler: the source of time. It is not asked when there is no limit.
  /// - Returns: the first value; `nil` if the stream finishes before, if the limit is reached, or if the task is
  ///   cancelled.
  /// - Concurrency: subscribes when it is called, and cancels when it returns.
  /// - Errors: throws the failure of a stream that fails without a value.
  /// - Complexity: O(1).
  public func first(
    within limit: Duration? = nil,
    on scheduler: some Scheduler = .continuous
  ) async throws(Failure) -> Element? {
    try await first(where: { _ in true }, within: limit, on: scheduler)
  }

  /// Waits for the first value that satisfies the predicate.
  ///
  ///     let fix = await gps.first(where: { $0.accuracy < 10 }, within: .seconds(10))
  ///
  /// - Parameters:
  ///   - predicate: is called for each value until one satisfies it.
  ///   - limit: the longest time to wait; `nil` for any time.
  ///   - scheduler: the source of time. It is not asked when there is no limit.
  /// - Returns: the value; `nil` if the stream finishes before, if the limit is reached, or if the task is cancelled.
  /// - Concurrency: subscribes when it is called, and cancels when it returns.
  /// - Errors: throws the failure of the stream, and what `predicate` throws.
  /// - Complexity: O(1) per value, beside the cost of the predicate.
  public func first(
    where predicate: @escaping @Sendable (Element) throws(Failure) -> Bool,
    within limit: Duration? = nil,
    on scheduler: some Scheduler = .continuous
  ) async throws(Failure) -> Element? {
    let found = filter(predicate).prefix(1)
    let limited = limit.map { found.prefix(until: Observable<Void, Never>.timer(after: $0, on: scheduler)) } ?? found
    for try await value in limited.values(buffering: .unbounded) { return value }
    return nil
  }
}
