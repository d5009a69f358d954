extension Observable {
  /// Sends a value when nothing newer has come for a while.
  ///
  ///     source  ab----c-|
  ///     result  ---b----[c|]   debounce(for: .seconds(2))
  ///
  /// - Parameters:
  ///   - quiet: how long nothing must come.
  ///   - scheduler: where time comes from.
  /// - Boundary: a value whose quiet time ends at the very instant at which the next one or a failure arrives is sent.
  /// - Completion: a waiting value is sent at once, then the end. A failure passes at once and drops it.
  /// - Complexity: O(1) per value; at most one timer is pending, and a burst does not schedule one for each value.
  public func debounce(for quiet: Duration, on scheduler: some Scheduler = .continuous) -> Observable {
    timed(on: scheduler) { _ in DebounceMachine(quiet: quiet) }
  }
}

struct DebounceMachine<Element: Sendable, Failure: Error>: TimedMachine {
  private let quiet: Duration
  private var waiting: Element?
  private(set) var wakeAt: Duration?

  init(quiet: Duration) {
    self.quiet = quiet
  }

  mutating func receive(_ value: Element, at now: Duration, _ observer: Observer<Element, Failure>) {
    waiting = value
    wakeAt = now.later(by: max(quiet, .zero))
  }

  mutating func wake(at now: Duration, _ observer: Observer<Element, Failure>) {
    flush(observer)
  }

  mutating func finish(at now: Duration, _ observer: Observer<Element, Failure>) {
    flush(observer)
  }

  private mutating func flush(_ observer: Observer<Element, Failure>) {
    wakeAt = nil
    if let value = waiting.take() { observer.send(value) }
  }
}
