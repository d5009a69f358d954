/// The limits of a retry.
@usableFromInline
struct RetryRule: Sendable {
  /// The number of new tries in one outage.
  var limit: Int
  var delay: RetryDelay
  var recovery: RetryRecovery
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

  private let source: Observable<Element, Failure>
  private let report: RetryReport?
  private let rule: RetryRule
  private let isTransient: @Sendable (Failure) -> Bool
  private var delays: RetryDelay.Delays
  /// The number of the present try, in all.
  private var newest = 0
  /// The number of new tries in this outage.
  private var retries = 0
  /// Whether a failure was reported and no value has come since.
  private var isDown = false
  /// The instant of the first value of the present try, if the recovery depends on it.
  private var healthySince: Duration?
  @usableFromInline private(set) var wakeAt: Duration?

  @usableFromInline
  init(
    _ source: Observable<Element, Failure>,
    _ rule: RetryRule,
    if isTransient: @escaping @Sendable (Failure) -> Bool = { _ in true },
    reportingTo report: RetryReport? = nil
  ) {
    self.source = report?.monitored(source) ?? source
    self.report = report
    self.rule = rule
    self.isTransient = isTransient
    delays = rule.delay.start()
  }

  @usableFromInline
  mutating func receive(
    _ event: StageEvent<Element, Failure>,
    _ clock: inout StageClock
  ) -> StageAction<Element, Element, Failure> {
    switch event {
    case .value(let value, _):
      switch rule.recovery {
      case .never: break
      case .value: retries = 0
      case .health: if healthySince == nil { healthySince = clock.now() }
      }
      if isDown {
        isDown = false
        report?.recovered()
      }
      return StageAction(send: value)
    case .ended(.finished, _):
      report?.ended()
      return StageAction(end: .finished)
    case .ended(.failed(let failure), let input):
      assert(input == newest, "A try ended that is over.")
      if case .health(let duration) = rule.recovery, let since = healthySince.take() {
        if since.later(by: duration) <= clock.now() { retries = 0 }
      }
      guard retries < rule.limit, isTransient(failure) else {
        report?.ended()
        return StageAction(end: .failed(failure))
      }
      isDown = true
      report?.failed()
      let wait = delays.next(retries)
      retries += 1
      newest += 1
      guard wait > .zero else { return again }
      wakeAt = clock.now().later(by: wait)
      return .none
    case .woken:
      assert(wakeAt != nil, "A retry was woken that did not ask for it.")
      wakeAt = nil
      return again
    }
  }

  private var again: StageAction<Element, Element, Failure> {
    report?.tried()
    return StageAction(follow: StageAction.Followed(source, as: newest))
  }
}
