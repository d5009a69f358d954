/// What a `retry` does, as its `onEvent` is told.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum RetryEvent: Sendable {
  /// The stream has failed, and is tried again after a delay.
  case failed(any Error, delay: Duration)

  /// A new try begins. They are numbered from 1 for each subscription.
  case trying(Int)
}

/// The limits of a retry.
@usableFromInline
struct RetryRule: Sendable {
  /// The number of new tries in one outage.
  let limit: Int
  let delay: RetryDelay
  @usableFromInline let recovery: RetryRecovery

  @usableFromInline
  init(limit: Int, delay: RetryDelay, recovery: RetryRecovery) {
    self.limit = limit
    self.delay = delay
    self.recovery = recovery
  }
}

/// The course of the tries of one subscription, without what depends on the values and the failure.
@usableFromInline
struct RetryCourse: Sendable {
  @usableFromInline let rule: RetryRule
  private var delays: RetryDelay.Delays
  /// The number of the present try, in all.
  @usableFromInline private(set) var newest = 0
  /// The number of new tries in this outage.
  @usableFromInline var retries = 0

  @usableFromInline
  init(_ rule: RetryRule) {
    self.rule = rule
    delays = rule.delay.start()
  }

  @inlinable
  @inline(__always)
  mutating func noteValue() {
    if rule.recovery == .value { retries = 0 }
  }

  /// Whether the limit allows another try.
  @usableFromInline
  var allowsAnother: Bool { retries < rule.limit }

  /// Begins another try.
  ///
  /// - Returns: the time to wait before it.
  @usableFromInline
  mutating func next() -> Duration {
    let wait = delays.next(retries)
    retries += 1
    newest += 1
    return wait
  }
}

/// The tries of one subscription. Each of them is an input, with its number.
///
/// ```
///              failure, tries left: wait       woken: follow the source again
///   ┌────────┐ ─────────────────────▶ ┌─────────┐ ──────────┐
///   │ trying │                        │ waiting │           │
///   └────────┘ ◀───────────────────── └─────────┘ ◀─────────┘
/// ```
@usableFromInline
struct RetryMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Element
  @usableFromInline typealias Output = Element

  @inlinable static var isTimed: Bool { true }

  @usableFromInline let source: Observable<Element, Failure>
  @usableFromInline let isTransient: @Sendable (Failure) -> Bool
  @usableFromInline let onEvent: @Sendable (RetryEvent) -> Void
  @usableFromInline var course: RetryCourse
  @usableFromInline var wakeAt: Duration?

  @inlinable
  init(
    _ source: Observable<Element, Failure>,
    _ rule: RetryRule,
    if isTransient: @escaping @Sendable (Failure) -> Bool = { _ in true },
    onEvent: @escaping @Sendable (RetryEvent) -> Void = { _ in }
  ) {
    self.source = source
    self.isTransient = isTransient
    self.onEvent = onEvent
    course = RetryCourse(rule)
  }

  @inlinable
  @inline(__always)
  mutating func receive(
    _ event: StageEvent<Element, Failure>,
    _ clock: inout StageClock
  ) -> StageAction<Element, Element, Failure> {
    switch event {
    case .value(let value, _):
      course.noteValue()
      return StageAction(send: value)
    case .ended(.finished, _):
      return StageAction(end: .finished)
    case .ended(.failed(let failure), let input):
      assert(input == course.newest, "A try ended that is over.")
      guard course.allowsAnother, isTransient(failure) else { return StageAction(end: .failed(failure)) }
      let wait = course.next()
      onEvent(.failed(failure, delay: wait))
      guard wait > .zero else { return again }
      wakeAt = clock.now().later(by: wait)
      return .none
    case .woken:
      assert(wakeAt != nil, "A retry was woken that did not ask for it.")
      wakeAt = nil
      return again
    }
  }

  @inlinable
  var again: StageAction<Element, Element, Failure> {
    onEvent(.trying(course.newest))
    return StageAction(follow: StageAction.Followed(source, as: course.newest))
  }
}
