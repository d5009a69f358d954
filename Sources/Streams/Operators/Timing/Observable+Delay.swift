extension Observable {
  /// Sends each value later, with the distances between them kept.
  ///
  ///     source  ab-c|
  ///     result  --ab-c|   delay(by: .seconds(2))
  ///
  /// - Parameters:
  ///   - delay: how much later. One that is not positive still goes by way of the scheduler.
  ///   - scheduler: where time comes from.
  /// - Ordering: as upstream, also for values of one instant.
  /// - Boundary: a value that is due at the instant at which another one, or a failure, arrives is sent first.
  /// - Completion: the end is as late as the values. A failure passes at once and drops the values that are not due yet.
  /// - Complexity: O(1) per value; memory for the values of one delay, and at most one pending timer.
  public func delay(by delay: Duration, on scheduler: some Scheduler = .continuous) -> Observable {
    timed(on: scheduler) { _ in DelayMachine(delay: delay) }
  }
}

struct DelayMachine<Element: Sendable, Failure: Error>: TimedMachine {
  private enum Step: Sendable {
    case value(Element)
    case end
  }

  private struct Waiting: Sendable {
    let due: Duration
    let step: Step
  }

  private let delay: Duration
  private var waiting = RingBuffer<Waiting>()

  init(delay: Duration) {
    self.delay = max(delay, .zero)
  }

  var wakeAt: Duration? { waiting.first?.due }

  mutating func receive(_ value: Element, at now: Duration, _ observer: Observer<Element, Failure>) {
    waiting.append(Waiting(due: now.later(by: delay), step: .value(value)))
  }

  mutating func wake(at now: Duration, _ observer: Observer<Element, Failure>) {
    while let next = waiting.first, next.due <= now {
      _ = waiting.popFirst()
      if case .value(let value) = next.step { observer.send(value) }
    }
  }

  mutating func finish(at now: Duration, _ observer: Observer<Element, Failure>) {
    waiting.append(Waiting(due: now.later(by: delay), step: .end))
  }
}
