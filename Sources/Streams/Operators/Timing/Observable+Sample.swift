extension Observable {
  /// Sends the newest value whenever `ticks` sends one, if there is a value that was not sent yet.
  ///
  ///     source  ab--c---d|
  ///     ticks   --x---xx-
  ///     result  --b---c--[d|]   source.sample(on: ticks)
  ///
  /// - Parameter ticks: when to sample. What it sends does not matter. When it finishes, nothing is sampled any more.
  /// - Boundary: of a value and a tick at one instant, the one that arrives first counts as earlier.
  /// - Completion: a value that no tick asked for is sent at once, then the end. A failure passes at once and drops it.
  /// - Complexity: O(1) per value.
  public func sample<Tick: Sendable>(on ticks: Observable<Tick, Never>) -> Observable {
    let attach = attach
    return Observable(attach: { observer in
      let node = SampleNode(into: observer)
      node.listen(to: ticks)
      attach(node.input)
    })
  }

  /// Sends the newest value once per period, if there is a value that was not sent yet.
  ///
  ///     source  ab--c--d-|
  ///     result  ---b--c--[d|]   sample(every: .seconds(3))
  ///
  /// - Parameters:
  ///   - period: the time between samples, the first being one period after the subscription.
  ///   - scheduler: where time comes from.
  public func sample(every period: Duration, on scheduler: some Scheduler = .continuous) -> Observable {
    sample(on: Observable<Int, Never>.interval(period, on: scheduler))
  }
}

/// A stream, its ticks, one observer.
///
/// Safe to share: the newest value is owned by the queue, through which both inputs go.
private final class SampleNode<Element: Sendable, Failure: Error>: Sendable {
  private enum Input: Sendable {
    case value(Element)
    case tick
  }

  private let queue = DeliveryQueue<Input>()
  private let newest = Confined<Element?>(nil)
  private let observer: Observer<Element, Failure>
  private let upstream: Lifetime
  private let ticking: Lifetime

  init(into observer: Observer<Element, Failure>) {
    self.observer = observer
    upstream = Lifetime(within: observer.lifetime)
    ticking = Lifetime(within: observer.lifetime)
  }

  var input: Observer<Element, Failure> {
    Observer(lifetime: upstream) { value in
      _ = self.queue.submit(.value(value)) { self.deliver($0) }
    } onSignal: { signal in
      switch signal {
      case .end(let end):
        self.upstream.terminate()
        self.ticking.terminate()
        _ = self.queue.close({ self.finish(end) }, deliver: { self.deliver($0) })
      case .barrier(let resume):
        self.queue.run({ self.observer.signal(.barrier(resume)) }, deliver: { self.deliver($0) })
      }
    }
  }

  func listen<Tick: Sendable>(to ticks: Observable<Tick, Never>) {
    ticks.attach(
      Observer(lifetime: ticking) { _ in
        _ = self.queue.submit(.tick) { self.deliver($0) }
      } onSignal: { signal in
        switch signal {
        case .end: self.ticking.terminate()
        case .barrier(let resume): self.queue.run(resume, deliver: { self.deliver($0) })
        }
      }
    )
  }

  private func deliver(_ input: Input) {
    switch input {
    case .value(let value): newest.value = value
    case .tick: sendNewest()
    }
  }

  private func sendNewest() {
    if let value = newest.value.take() { observer.send(value) }
  }

  private func finish(_ end: StreamEnd<Failure>) {
    if case .finished = end { sendNewest() }
    observer.end(end)
  }
}
