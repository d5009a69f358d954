extension ObservableConvertible {
  /// Sends a value when nothing newer has come for a while.
  ///
  ///     source  ab----c-|
  ///     result  ---b----[c|]   debounce(for: .seconds(2))
  ///
  /// - Parameters:
  ///   - quiet: the time in which no other value may come.
  ///   - scheduler: the source of time.
  /// - Boundary: a value whose quiet time ends at the instant at which the next one or a failure arrives is sent.
  /// - Completion: a waiting value is sent at once, then the end.
  /// - Errors: a failure passes at once and drops a waiting value.
  /// - Backpressure: a value that waits counts as handled.
  /// - Complexity: O(1) per value; at most one timer is pending, and a burst does not schedule one for each value.
  @inlinable
  @inline(__always)
  public func debounce(for quiet: Duration, on scheduler: some Scheduler = .continuous) -> Observable<Element, Failure>
  {
    observable.through(on: StageTime(scheduler)) { _ in DebounceMachine(quiet: quiet) }
  }
}

/// The value that waits for quiet.
@usableFromInline
struct DebounceMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Element
  @usableFromInline typealias Output = Element

  @inlinable static var isTimed: Bool { true }

  @usableFromInline let quiet: Duration
  @usableFromInline var waiting: Kept<Element>?
  @usableFromInline var wakeAt: Duration?

  @inlinable
  init(quiet: Duration) {
    self.quiet = max(quiet, .zero)
  }

  @inlinable
  @inline(__always)
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(let value, _):
      waiting = Kept(value)
      wakeAt = clock.now().later(by: quiet)
      return .none
    case .woken:
      assert(waiting != nil && wakeAt != nil, "A debounce was woken although no value waits.")
      wakeAt = nil
      return Action(send: waiting.take())
    case .ended(.finished, _):
      wakeAt = nil
      return Action(send: waiting.take(), end: .finished)
    case .ended(let failure, _):
      return Action(end: failure)
    }
  }
}
