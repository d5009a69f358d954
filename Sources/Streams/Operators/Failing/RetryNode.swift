/// One subscription to a stream that is tried again.
///
/// Safe to share: `retries` belongs to the one try that is under way; tries never overlap, because each begins after the
/// failure of the one before it.
final class RetryNode<Element: Sendable, Failure: Error>: Sendable {
  private let attach: @Sendable (Observer<Element, Failure>) -> Void
  private let limit: Int
  private let delay: RetryDelay
  private let scheduler: any Scheduler
  private let observer: Observer<Element, Failure>
  private let pause: SubscriptionSlot
  private let current: SubscriptionSlot
  /// Runs one try after the other: a stream that fails at once must not nest its tries.
  private let tries = DeliveryQueue<Never>()
  private let retries = Confined(0)

  init(
    attach: @escaping @Sendable (Observer<Element, Failure>) -> Void,
    limit: Int,
    delay: RetryDelay,
    scheduler: any Scheduler,
    observer: Observer<Element, Failure>
  ) {
    self.attach = attach
    self.limit = limit
    self.delay = delay
    self.scheduler = scheduler
    self.observer = observer
    pause = SubscriptionSlot(of: observer.lifetime)
    current = SubscriptionSlot(of: observer.lifetime)
  }

  func start() {
    tries.run({ self.attempt() }, deliver: { _ in })
  }

  private func attempt() {
    guard observer.lifetime.isActive else { return }
    let upstream = Lifetime()
    current.replace(with: Subscription(upstream), turn: retries.value)
    attach(
      Observer(lifetime: upstream, onValue: { self.observer.send($0) }) { signal in
        switch signal {
        case .end(.finished):
          self.observer.end(.finished)
        case .end(.failed(let failure)):
          upstream.terminate()
          self.failed(failure)
        case .barrier(let resume):
          self.observer.signal(.barrier(resume))
        }
      }
    )
  }

  private func failed(_ failure: Failure) {
    let retry = retries.value
    guard retry < limit else { return observer.end(.failed(failure)) }
    retries.value += 1
    let wait = delay(retry)
    if wait > .zero {
      pause.replace(with: scheduler.schedule(at: scheduler.now.later(by: wait)) { self.start() }, turn: retry)
    } else {
      start()
    }
  }
}
