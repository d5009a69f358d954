extension Observable {
  /// Sends the values of several streams, one stream after the other.
  ///
  ///     first   a-b|
  ///     second  c-d|
  ///     result  a-bc-d|   concat([first, second])
  ///
  /// - Ordering: a stream is subscribed to when the one before it has finished.
  /// - Completion: finishes with the last stream; without streams, at once.
  /// - Errors: the first failure is the failure of the result, and the streams behind it are never subscribed to.
  /// - Complexity: O(1) per value and per stream, and constant stack, also for streams that finish at once.
  public static func concat(_ streams: [Observable]) -> Observable {
    Observable<Observable, Never>(streams).setFailureType(to: Failure.self).concat()
  }

  /// Sends the values of several streams, one stream after the other, as ``concat(_:)-([Observable<Element,Failure>])`` does.
  ///
  ///     first   a-b|
  ///     second  c-^
  ///     result  a-bc-^    concat(first, second)
  ///
  /// - Complexity: as ``concat(_:)-([Observable<Element,Failure>])``.
  public static func concat(_ streams: Observable...) -> Observable {
    concat(streams)
  }
}

extension ObservableConvertible {
  /// Sends the values of all the streams that this one sends, one stream after the other.
  ///
  ///     a       1-1|
  ///     b       2-2|
  ///     source  ab|
  ///     result  1-12-2|   source.concat(), whose values are the streams a and b
  ///
  /// A stream that arrives while another one is followed waits. There is no bound: streams that arrive faster than they
  /// finish pile up.
  ///
  /// - Ordering: a stream is subscribed to when the one before it has finished.
  /// - Completion: when the outer stream finishes, the streams that wait are still followed; the result finishes with
  ///   the last of them.
  /// - Errors: the first failure, of the outer or of an inner stream, is the failure of the result. A failure of the
  ///   outer stream passes at once, and drops the streams that wait.
  /// - Backpressure: a stream that waits counts as handled.
  /// - Complexity: O(1) per value and per stream, and constant stack, also for streams that finish at once.
  public func concat<Inner: Sendable>() -> Observable<Inner, Failure> where Element == Observable<Inner, Failure> {
    typealias Machine = ConcatMachine<Inner, Failure>
    let stream = observable
    return Observable<Inner, Failure>.stage { _ in
      Machine()
    } start: { queue, inputs in
      queue.attach(stream, as: Machine.outer, inputs.add(Machine.outer)) { .stream($0) }
    }
  }
}

/// The streams that wait until the one before them has finished. Each of them is an input, with its number.
///
/// Invariant: a stream waits only while another one is followed.
@usableFromInline
struct ConcatMachine<Element: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Output = Element

  @usableFromInline
  enum Input: Sendable {
    case stream(Observable<Element, Failure>)
    case value(Element)
  }

  @usableFromInline static var outer: Int { 0 }

  private var waiting = RingBuffer<Observable<Element, Failure>>()
  /// The number of the stream that is followed, or was followed last.
  private var current = Self.outer
  private var isFollowing = false
  private var outerHasEnded = false

  @usableFromInline
  init() {}

  @usableFromInline
  mutating func receive(
    _ event: StageEvent<Input, Failure>,
    _ clock: inout StageClock
  ) -> StageAction<Input, Element, Failure> {
    assert(isFollowing || waiting.isEmpty, "A stream waits for none.")
    switch event {
    case .value(.value(let value), _):
      return Action(send: value)
    case .value(.stream(let stream), _):
      guard !isFollowing else {
        waiting.append(stream)
        return .none
      }
      return follow(stream)
    case .ended(.finished, Self.outer):
      outerHasEnded = true
      return isFollowing ? .none : Action(end: .finished)
    case .ended(.finished, let input):
      assert(input == current && isFollowing, "A stream ended that is not followed.")
      isFollowing = false
      if let next = waiting.popFirst() { return follow(next) }
      return outerHasEnded ? Action(end: .finished) : .none
    case .ended(let failure, _):
      return Action(end: failure)
    case .woken:
      return .none
    }
  }

  private mutating func follow(_ stream: Observable<Element, Failure>) -> Action {
    isFollowing = true
    current += 1
    return Action(follow: Action.Followed(stream.map { .value($0) }, as: current))
  }
}
