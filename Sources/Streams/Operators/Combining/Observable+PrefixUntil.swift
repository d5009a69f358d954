extension ObservableConvertible {
  /// Sends values until another stream sends one, then finishes and cancels upstream.
  ///
  ///     source  a-b-c-d-
  ///     stop    ----x---
  ///     result  a-b-|       source.prefix(until: stop)
  ///
  /// - Parameter stop: the stream whose first value is the end. The value itself does not matter. If it finishes
  ///   without a value, this stream runs on.
  /// - Ordering: `stop` is subscribed to first. If it sends at once, this stream is never subscribed to.
  /// - Boundary: of a value here and the value there at one instant, the one that arrives first counts as earlier.
  /// - Completion: at the first value of `stop`, or with this stream, whichever is earlier. The other one is cancelled.
  /// - Errors: a failure passes at once.
  /// - Complexity: O(1) per value.
  @inlinable
  public func prefix(until stop: some ObservableConvertible<some Sendable, Never>) -> Observable<Element, Failure> {
    let (stream, stop) = (observable, stop.observable)
    return Observable<Element, Failure>.stage(inputs: 2) { _ in
      PrefixUntilMachine()
    } start: { stage in
      stage.attach(stop.setFailureType(to: Failure.self), as: 1) { _ in .second(()) }
      stage.attach(stream, as: 0) { .first($0) }
    }
  }
}

/// Passes values until the stop. It has no state: the shell knows when all is over.
@usableFromInline
struct PrefixUntilMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Either<Element, Void>
  @usableFromInline typealias Output = Element

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(.first(let value), _): return Action(send: value)
    case .value(.second, _): return Action(end: .finished)
    case .ended(let end, input: 0): return Action(end: end)
    case .ended, .woken: return .none
    }
  }
}
