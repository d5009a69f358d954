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
    typealias Machine = WithLatestMachine<Element, Other, Failure>
    let (stream, other) = (observable, other.observable)
    return Observable<(Element, Other), Failure>.stage(inputs: 2) { _ in
      Machine()
    } start: { stage in
      stage.attach(other, as: 1) { .other($0) }
      stage.attach(stream, as: Machine.source) { .value($0) }
    }
  }
}

/// The newest value of the other stream.
@usableFromInline
struct WithLatestMachine<Element: Sendable, Other: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Output = (Element, Other)

  @usableFromInline
  enum Input: Sendable {
    case value(Element)
    case other(Other)
  }

  @inlinable static var source: Int { 0 }

  @usableFromInline var newest: Other?

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  mutating func receive(
    _ event: StageEvent<Input, Failure>,
    _ clock: inout StageClock
  ) -> StageAction<Input, (Element, Other), Failure> {
    switch event {
    case .value(.value(let value), _):
      return newest.map { Action(send: (value, $0)) } ?? .none
    case .value(.other(let other), _):
      newest = other
      return .none
    case .ended(.finished, let input):
      return input == Self.source || newest == nil ? Action(end: .finished) : .none
    case .ended(let failure, _):
      return Action(end: failure)
    case .woken:
      return .none
    }
  }
}
