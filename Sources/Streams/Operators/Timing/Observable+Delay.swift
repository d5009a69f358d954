extension ObservableConvertible {
  /// Sends each value later, with the distances between them kept.
  ///
  ///     source  ab-c|
  ///     result  --ab-c|   delay(by: .seconds(2))
  ///
  /// - Parameters:
  ///   - delay: the time to wait. A delay that is not positive still goes by way of the scheduler.
  ///   - scheduler: the source of time.
  /// - Ordering: as upstream, also for values of one instant.
  /// - Boundary: a value that is due at the instant at which another one, or a failure, arrives is sent first.
  /// - Completion: the end is delayed like the values.
  /// - Errors: a failure passes at once and drops the values that are not due yet.
  /// - Backpressure: a value that waits counts as handled, so an asynchronous sequence upstream is read ahead by one
  ///   delay.
  /// - Complexity: O(1) per value; memory for the values of one delay, and at most one pending timer.
  @inlinable
  @inline(__always)
  public func delay(by delay: Duration, on scheduler: some Scheduler = .continuous) -> Observable<Element, Failure> {
    observable.through(on: StageTime(scheduler)) { _ in DelayMachine(delay: delay) }
  }
}

/// The values of one delay, and the end behind them.
@usableFromInline
struct DelayMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Element
  @usableFromInline typealias Output = Element

  @inlinable static var isTimed: Bool { true }

  @usableFromInline let delay: Duration
  /// The values, each with the instant at which it is due; `nil` is the end.
  @usableFromInline var waiting = RingBuffer<(due: Duration, kept: Kept<Element?>)>()

  @inlinable
  init(delay: Duration) {
    self.delay = max(delay, .zero)
  }

  @inlinable
  var wakeAt: Duration? { waiting.first?.due }

  @inlinable
  @inline(__always)
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(let value, _):
      waiting.append((clock.now().later(by: delay), Kept(value)))
      return .none
    case .woken:
      guard let kept = waiting.popFirst()?.kept else {
        assertionFailure("A delay was woken although nothing waits.")
        return .none
      }
      return kept.value.map { Action(send: $0, by: kept.cause) } ?? Action(by: kept.cause, end: .finished)
    case .ended(.finished, _):
      waiting.append((clock.now().later(by: delay), Kept(nil)))
      return .none
    case .ended(let failure, _):
      return Action(end: failure)
    }
  }
}
