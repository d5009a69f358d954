extension ObservableConvertible {
  /// Sends at most one value per window.
  ///
  /// A value that finds no window open is sent at once and opens one. Values that arrive while a window is open are
  /// dropped; with `latest`, the newest of them is sent when the window ends, and opens the next window.
  ///
  ///     source  abc----d|
  ///     result  a--c---d|   throttle(for: .seconds(3))
  ///
  /// - Parameters:
  ///   - window: the length of a window. One that is not positive lets everything through.
  ///   - latest: whether the newest value of a window is sent at its end.
  ///   - scheduler: the source of time.
  /// - Boundary: at the instant a window ends it is over: a waiting value is sent first, and a value or a failure that
  ///   arrives at that instant comes after it.
  /// - Completion: a waiting value is sent at once, then the end.
  /// - Errors: a failure passes at once and drops a waiting value.
  /// - Backpressure: a value that waits counts as handled.
  /// - Complexity: O(1) per value. One value waits and one timer is pending at most.
  @inlinable
  @inline(__always)
  public func throttle(
    for window: Duration,
    latest: Bool = true,
    on scheduler: some Scheduler = .continuous
  ) -> Observable<Element, Failure> {
    observable.through(on: StageTime(scheduler)) { _ in ThrottleMachine(window: window, latest: latest) }
  }
}

/// The window that is open, and the value that waits for its end.
@usableFromInline
struct ThrottleMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Element
  @usableFromInline typealias Output = Element

  @inlinable static var isTimed: Bool { true }

  @usableFromInline let window: Duration
  @usableFromInline let latest: Bool
  @usableFromInline var windowEnd: Duration?
  @usableFromInline var waiting: Kept<Element>?

  @inlinable
  init(window: Duration, latest: Bool) {
    self.window = window
    self.latest = latest
  }

  @inlinable
  var wakeAt: Duration? { waiting == nil ? nil : windowEnd }

  @inlinable
  @inline(__always)
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(let value, _):
      let now = clock.now()
      if let windowEnd, now < windowEnd {
        if latest { waiting = Kept(value) }
        return .none
      }
      windowEnd = now.later(by: window)
      return Action(send: value)
    case .woken:
      assert(waiting != nil, "A throttle was woken although no value waits.")
      // A late timer does not shorten the distance to the next value.
      windowEnd = clock.now().later(by: window)
      return Action(send: waiting.take())
    case .ended(.finished, _):
      return Action(send: waiting.take(), end: .finished)
    case .ended(let failure, _):
      return Action(end: failure)
    }
  }
}
