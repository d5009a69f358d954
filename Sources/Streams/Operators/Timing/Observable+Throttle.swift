extension Observable {
  /// Sends at most one value per window.
  ///
  /// A value that finds no window open is sent at once and opens one. Of the values that arrive while a window is open,
  /// none is sent, or with `latest` the newest one when the window ends; sending it opens the next window.
  ///
  ///     source  abc----d|
  ///     result  a--c---d|   throttle(for: .seconds(3))
  ///
  /// - Parameters:
  ///   - window: how long a window is open. One that is not positive lets everything through.
  ///   - latest: whether the newest value of a window is sent at its end.
  ///   - scheduler: where time comes from.
  /// - Boundary: at the instant a window ends it is over: a waiting value is sent first, and a value that arrives at
  ///   that instant is looked at afterwards, as is a failure.
  /// - Completion: a waiting value is sent at once, then the end. A failure passes at once and drops it.
  /// - Complexity: O(1) per value; at most one timer is pending.
  public func throttle(
    for window: Duration,
    latest: Bool = true,
    on scheduler: some Scheduler = .continuous
  ) -> Observable {
    timed(on: scheduler) { _ in ThrottleMachine(window: window, latest: latest) }
  }
}

struct ThrottleMachine<Element: Sendable, Failure: Error>: TimedMachine {
  private let window: Duration
  private let latest: Bool
  private var windowEnd: Duration?
  private var waiting: Element?

  init(window: Duration, latest: Bool) {
    self.window = window
    self.latest = latest
  }

  var wakeAt: Duration? { waiting == nil ? nil : windowEnd }

  mutating func receive(_ value: Element, at now: Duration, _ observer: Observer<Element, Failure>) {
    if let windowEnd, now < windowEnd {
      if latest { waiting = value }
    } else {
      windowEnd = now.later(by: window)
      observer.send(value)
    }
  }

  mutating func wake(at now: Duration, _ observer: Observer<Element, Failure>) {
    guard let value = waiting.take() else { return }
    // A late timer does not shorten the distance to the next value.
    windowEnd = now.later(by: window)
    observer.send(value)
  }

  mutating func finish(at now: Duration, _ observer: Observer<Element, Failure>) {
    if let value = waiting.take() { observer.send(value) }
  }
}
