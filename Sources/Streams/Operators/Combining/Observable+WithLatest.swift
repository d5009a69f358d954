extension ObservableConvertible {
  /// Sends each value together with the newest value of another stream.
  ///
  ///     source  a-b---c|
  ///     other   -1--2--
  ///     result  --B---C|   source.withLatest(from: other), where B is b and 1, C is c and 2
  ///
  /// Values that come before the other stream has sent something are dropped.
  ///
  /// - Ordering: as this stream. The other stream is subscribed to first, so what it sends at once is there for the
  ///   first value. Of a value here and a value there at one instant, the one that arrives first counts as earlier.
  /// - Completion: finishes with this stream. The end of the other stream changes nothing, unless it has sent nothing:
  ///   then the result finishes at once, because nothing could be sent any more.
  /// - Errors: the first failure of either stream is the failure of the result, and the other stream is cancelled.
  /// - Complexity: O(1) per value. One value of the other stream is kept.
  @inlinable
  public func withLatest<Other: Sendable>(
    from other: some ObservableConvertible<Other, Failure>
  ) -> Observable<(Element, Other), Failure> {
    let (stream, other) = (observable, other.observable)
    return Observable<(Element, Other), Failure>.stage(inputs: 2) { _ in
      WithLatestMachine()
    } start: { stage in
      stage.attach(other, as: 1) { .second($0) }
      stage.attach(stream, as: 0) { .first($0) }
    }
  }
}

/// The newest value of the other stream.
@usableFromInline
struct WithLatestMachine<Element: Sendable, Other: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Either<Element, Other>
  @usableFromInline typealias Output = (Element, Other)

  @usableFromInline var newest: Other?

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  mutating func receive(_ event: Event, _ clock: inout StageClock) -> Action {
    switch event {
    case .value(.first(let value), _):
      return newest.map { Action(send: (value, $0)) } ?? .none
    case .value(.second(let other), _):
      newest = other
      return .none
    case .ended(.finished, let input):
      return input == 0 || newest == nil ? Action(end: .finished) : .none
    case .ended(let failure, _):
      return Action(end: failure)
    case .woken:
      return .none
    }
  }
}
