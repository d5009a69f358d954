extension ObservableConvertible {
  /// Sends the newest value whenever `ticks` sends one, if there is a value that was not sent yet.
  ///
  ///     source  ab--c---d|
  ///     ticks   --x---xx-
  ///     result  --b---c--[d|]   source.sample(on: ticks)
  ///
  /// - Parameter ticks: the stream whose values are the moments to sample. The values themselves do not matter. When it
  ///   finishes, nothing is sampled any more.
  /// - Boundary: of a value and a tick at one instant, the one that arrives first counts as earlier.
  /// - Completion: a value that has not been sampled is sent at once, then the end.
  /// - Errors: a failure passes at once and drops a value that has not been sampled.
  /// - Backpressure: a value that waits counts as handled.
  /// - Complexity: O(1) per value.
  @inlinable
  public func sample(on ticks: some ObservableConvertible<some Sendable, Never>) -> Observable<Element, Failure> {
    let (stream, ticks) = (observable, ticks.observable)
    return Observable<Element, Failure>.stage(inputs: 2) { _ in
      SampleMachine()
    } start: { stage in
      stage.attach(ticks.setFailureType(to: Failure.self), as: 1) { _ in .second(()) }
      stage.attach(stream, as: 0) { .first($0) }
    }
  }

  /// Sends the newest value once per period, if there is a value that was not sent yet.
  ///
  ///     source  ab--c--d-|
  ///     result  ---b--c--[d|]   sample(every: .seconds(3))
  ///
  /// - Parameters:
  ///   - period: the time between samples; the first one is one period after the subscription. See
  ///     ``Observable/interval(_:on:)``
  ///     for a period that is not positive.
  ///   - scheduler: the source of time.
  /// - Complexity: O(1) per value and per tick.
  @inlinable
  @inline(__always)
  public func sample(every period: Duration, on scheduler: some Scheduler = .continuous) -> Observable<Element, Failure>
  {
    sample(on: Observable<Int, Never>.interval(period, on: scheduler))
  }
}

/// The newest value that was not sent yet.
@usableFromInline
struct SampleMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Either<Element, Void>
  @usableFromInline typealias Output = Element

  @usableFromInline var newest: Kept<Element>?

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(.first(let value), _):
      newest = Kept(value)
      return .none
    case .value(.second, _):
      return Action(send: newest.take())
    case .ended(.finished, input: 0):
      return Action(send: newest.take(), end: .finished)
    case .ended(.finished, _), .woken:
      return .none
    case .ended(let failure, _):
      return Action(end: failure)
    }
  }
}
