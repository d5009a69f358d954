extension Observable {
  /// Fails when nothing has come for too long: between the subscription and the first value, or between two values.
  ///
  ///     source  ab---c|
  ///     result  ab-^      timeout(after: .seconds(2), failure: Silence())
  ///
  /// - Parameters:
  ///   - limit: how long a silence may be.
  ///   - scheduler: where time comes from.
  ///   - failure: the failure of the result.
  /// - Boundary: at the limit itself it is too late: what arrives at that instant, a value or an end, is not sent.
  /// - Completion: an end passes at once, and nothing is timed any more.
  /// - Complexity: O(1) per value; at most one timer is pending, and a busy stream does not schedule one for each value.
  public func timeout(
    after limit: Duration,
    on scheduler: some Scheduler = .continuous,
    failure: @autoclosure @escaping @Sendable () -> Failure
  ) -> Observable {
    timed(on: scheduler) { now in TimeoutMachine(limit: limit, now: now, failure: failure) }
  }
}

struct TimeoutMachine<Element: Sendable, Failure: Error>: TimedMachine {
  private let limit: Duration
  private let failure: @Sendable () -> Failure
  private(set) var wakeAt: Duration?

  init(limit: Duration, now: Duration, failure: @escaping @Sendable () -> Failure) {
    self.limit = max(limit, .zero)
    self.failure = failure
    wakeAt = now.later(by: self.limit)
  }

  mutating func receive(_ value: Element, at now: Duration, _ observer: Observer<Element, Failure>) {
    wakeAt = now.later(by: limit)
    observer.send(value)
  }

  mutating func wake(at now: Duration, _ observer: Observer<Element, Failure>) {
    wakeAt = nil
    observer.end(.failed(failure()))
  }

  mutating func finish(at now: Duration, _ observer: Observer<Element, Failure>) {
    wakeAt = nil
  }
}
