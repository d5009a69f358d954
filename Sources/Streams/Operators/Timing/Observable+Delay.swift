import RASPPrimitives

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

  @usableFromInline
  enum Step: Sendable {
    case value(Element)
    case end
  }

  @usableFromInline
  struct Waiting: Sendable {
    @usableFromInline let due: Duration
    @usableFromInline let step: Kept<Step>

    @inlinable
    init(due: Duration, _ step: Step) {
      self.due = due
      self.step = Kept(step)
    }
  }

  @usableFromInline let delay: Duration
  @usableFromInline var waiting = RingBuffer<Waiting>()

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
      waiting.append(Waiting(due: clock.now().later(by: delay), .value(value)))
      return .none
    case .woken:
      guard let kept = waiting.popFirst()?.step else {
        assertionFailure("A delay was woken although nothing waits.")
        return .none
      }
      switch kept.value {
      case .value(let value): return Action(send: value, by: kept.cause)
      case .end: return Action(by: kept.cause, end: .finished)
      }
    case .ended(.finished, _):
      waiting.append(Waiting(due: clock.now().later(by: delay), .end))
      return .none
    case .ended(let failure, _):
      return Action(end: failure)
    }
  }
}
