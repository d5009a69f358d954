extension Observable {
  /// Subscribes again when this stream fails.
  ///
  ///     source  a-^
  ///     result  a-a-^     retry(1)
  ///
  /// - Parameters:
  ///   - limit: the number of new tries in all, however many values came in between. The failure after the last one is
  ///     the failure of the result. Zero or less means no new try.
  ///   - delay: the time to wait before each new try, see ``RetryDelay``.
  ///   - scheduler: the source of time. It is not asked when there is no delay.
  /// - Ordering: values of the tries follow one another; each try starts from the beginning, if the stream does so for
  ///   each subscription.
  /// - Errors: the failure of the last try is the failure of the result.
  /// - Complexity: O(1) per value, and constant stack, also for a stream that fails as soon as it is subscribed to.
  public func retry(
    _ limit: Int,
    delay: RetryDelay = .none,
    on scheduler: some Scheduler = .continuous
  ) -> Observable {
    Observable.stage(on: scheduler) { _ in
      RetryMachine(self, limit: limit, delay: delay)
    } start: { queue, inputs in
      let first = inputs.add(0)
      inputs.subscribe { queue.attach(self, as: 0, first) { $0 } }
    }
  }
}

/// The tries of one subscription. Each of them is an input, with its number.
@usableFromInline
struct RetryMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Element
  @usableFromInline typealias Output = Element

  private let source: Observable<Element, Failure>
  private let limit: Int
  private let delay: RetryDelay
  private var retries = 0
  @usableFromInline private(set) var wakeAt: Duration?

  @usableFromInline
  init(_ source: Observable<Element, Failure>, limit: Int, delay: RetryDelay) {
    self.source = source
    self.limit = limit
    self.delay = delay
  }

  @usableFromInline
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(let value, _):
      return Action(send: value)
    case .ended(.finished, _):
      return Action(end: .finished)
    case .ended(let failure, let input):
      assert(input == retries, "A try ended that is over.")
      guard retries < limit else { return Action(end: failure) }
      let wait = delay(retries)
      retries += 1
      guard wait > .zero else { return again }
      wakeAt = clock.now().later(by: wait)
      return .none
    case .woken:
      assert(wakeAt != nil, "A retry was woken that did not ask for it.")
      wakeAt = nil
      return again
    }
  }

  private var again: Action { Action(follow: Action.Followed(source, as: retries)) }
}
