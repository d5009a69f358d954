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
  @inlinable
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
  @inlinable
  public func first(
    where predicate: @escaping @Sendable (Element) throws(Failure) -> Bool,
    within limit: Duration? = nil,
    on scheduler: some Scheduler = .continuous
  ) async throws(Failure) -> Element? {
    let channel = AsyncChannel<Element, Failure>(policy: .unbounded, drops: DropCounter())
    let lifetime = Lifetime()
    // One subscription that ends itself, because a chain of operators for one value would be made to be thrown away.
    observable.attach(
      Observer(lifetime: lifetime, isLast: true) { value in
        do throws(Failure) {
          guard try predicate(value) else { return }
          lifetime.terminate()
          channel.send(value)
        } catch {
          lifetime.terminate()
          channel.end(.failed(error))
        }
      } onEnd: { end in
        channel.end(end)
      }
    )
    if let limit, lifetime.isActive { channel.end(lifetime, after: limit, on: scheduler) }
    defer { lifetime.terminate() }
    switch await channel.onlyResult() {
    case .value(let value): return value
    case .end(let end):
      try end.get()
      return nil
    }
  }
}

extension AsyncChannel {
  /// Waits for the one value of a channel, or for its end; the end comes when the task is cancelled, too.
  @inlinable
  func onlyResult() async -> ReadResult<Element, Failure> {
    if Task.isCancelled { return .end(.finished) }
    if let ready = take() { return ready }
    return await withTaskCancellationHandler {
      await next(isolation: nil)
    } onCancel: {
      cancel()
    }
  }

  /// Finishes when the time is over, and ends the lifetime of what sends to the channel. The timer is cancelled when
  /// that ends before.
  @inlinable
  func end(_ lifetime: Lifetime, after limit: Duration, on scheduler: some Scheduler) {
    let timer = scheduler.schedule(at: scheduler.now.later(by: max(limit, .zero))) {
      CarriedCause.unknown.deliver {
        if lifetime.terminate() { self.end(.finished) }
      }
    }
    lifetime.onTermination { timer.cancel() }
  }
}
