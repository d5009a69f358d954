extension ObservableConvertible {
  /// Fails when nothing has come for too long: between the subscription and the first value, or between two values.
  ///
  ///     source  ab---c|
  ///     result  ab-^      timeout(after: .seconds(2), failure: Silence())
  ///
  /// - Parameters:
  ///   - limit: the longest silence that is allowed.
  ///   - scheduler: the source of time.
  ///   - failure: the failure of the result.
  /// - Boundary: a value or an end that arrives exactly at the limit is too late and is not sent.
  /// - Completion: an end passes at once, and the timer is cancelled.
  /// - Errors: `failure` when the limit is reached; a failure of upstream passes at once.
  /// - Complexity: O(1) per value; at most one timer is pending, and a busy stream does not schedule one for each
  ///   value.
  @inlinable
  @inline(__always)
  public func timeout(
    after limit: Duration,
    on scheduler: some Scheduler = .continuous,
    failure: @autoclosure @escaping @Sendable () -> Failure
  ) -> Observable<Element, Failure> {
    observable.through(on: StageTime(scheduler)) { clock in TimeoutMachine(limit: limit, now: clock.now(), failure: failure) }
  }
}

/// The instant at which it is too late.
@usableFromInline
struct TimeoutMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Element
  @usableFromInline typealias Output = Element

  @inlinable static var isTimed: Bool { true }

  @usableFromInline let limit: Duration
  @usableFromInline let failure: @Sendable () -> Failure
  @usableFromInline var wakeAt: Duration?

  @inlinable
  init(limit: Duration, now: Duration, failure: @escaping @Sendable () -> Failure) {
    self.limit = max(limit, .zero)
    self.failure = failure
    wakeAt = now.later(by: self.limit)
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(let value, _):
      wakeAt = clock.now().later(by: limit)
      return Action(send: value)
    case .woken:
      assert(wakeAt != nil, "A timeout was woken that is over.")
      wakeAt = nil
      return Action(end: .failed(failure()))
    case .ended(let end, _):
      wakeAt = nil
      return Action(end: end)
    }
  }
}
