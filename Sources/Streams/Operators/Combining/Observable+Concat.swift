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
  /// - Complexity: O(1) per value and per stream. The last stream gets the observer of the result, and nothing is left
  ///   of the concatenation. So streams that lead to the next one by recursion take constant stack and memory, also if
  ///   they finish at once.
  public static func concat(_ streams: [Observable]) -> Observable {
    Observable(attach: { follow(streams[...], .current, into: $0) })
  }

  /// Subscribes to streams, one after the other.
  ///
  /// - Parameter cause: what was delivered when the result was subscribed to. The end of a stream does not cause what
  ///   the next one sends.
  static func follow(
    _ streams: ArraySlice<Observable>,
    _ cause: CarriedCause,
    into observer: Observer<Element, Failure>
  ) {
    guard let stream = streams.first else { return observer.end(.finished) }
    let others = streams.dropFirst()
    if others.isEmpty { return stream.attach(observer) }
    let lifetime = Lifetime(within: observer.lifetime)
    stream.attach(
      observer.upstream(lifetime: lifetime) { value in
        observer.send(value)
      } onEnd: { (end: StreamEnd<Failure>) in
        observer.lifetime.end(lifetime)
        if case .failed = end { return observer.end(end) }
        SubscriptionLoop.run(for: observer, after: observer) {
          if observer.lifetime.isActive { cause.deliver { follow(others, cause, into: observer) } }
        }
      }
    )
  }

  /// Sends the values of several streams, one stream after the other, as ``concat(_:)-([Observable<Element,Failure>])``
  /// does.
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
  /// Goes on with other streams when this one has finished, as
  /// ``Observable/concat(_:)-([Observable<Element,Failure>])`` does.
  ///
  ///     source  a-b|
  ///     other   c-d|
  ///     result  a-bc-d|   source.concat(with: other)
  ///
  /// A stream may go on with the next one by recursion, such as the pages of a list:
  ///
  ///     func pages(from number: Int) -> Observable<Page, any Error> {
  ///       fetch(number).concat(with: Observable.deferred { pages(from: number + 1) })
  ///     }
  ///
  /// - Parameters:
  ///   - other: the stream behind this one.
  ///   - more: those behind that.
  /// - Complexity: as ``Observable/concat(_:)-([Observable<Element,Failure>])``.
  public func concat(
    with other: any ObservableConvertible<Element, Failure>,
    _ more: any ObservableConvertible<Element, Failure>...
  ) -> Observable<Element, Failure> {
    Observable.concat([observable, other.observable] + more.map { $0.observable })
  }

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
  /// - Complexity: O(1) per value; per stream O(log n) amortised, n being the number of streams that wait. Constant
  ///   stack, also for streams that finish at once. Cancelling is O(n).
  @inlinable
  public func concat<Inner: Sendable>() -> Observable<Inner, Failure> where Element == Observable<Inner, Failure> {
    let streams = observable
    return Observable<Inner, Failure>(attach: { JoinShell(.merge, into: $0).follow(streams, inLine: JoinLine()) })
  }
}
