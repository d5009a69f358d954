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
  /// - Complexity: O(1) per value; per stream O(log n) amortised, n being the number of streams. Constant stack, also
  ///   for streams that finish at once. Cancelling is O(n).
  @inlinable
  public static func concat(_ streams: [Observable]) -> Observable {
    Observable<Observable, Never>(streams).setFailureType(to: Failure.self).concat()
  }

  /// Sends the values of several streams, one stream after the other, as ``concat(_:)-([Observable<Element,Failure>])``
  /// does.
  ///
  ///     first   a-b|
  ///     second  c-^
  ///     result  a-bc-^    concat(first, second)
  ///
  /// - Complexity: as ``concat(_:)-([Observable<Element,Failure>])``.
  @inlinable
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
  /// - Parameters:
  ///   - other: the stream behind this one.
  ///   - more: those behind that.
  /// - Complexity: as ``Observable/concat(_:)-([Observable<Element,Failure>])``.
  @inlinable
  public func concat(
    with other: Observable<Element, Failure>,
    _ more: Observable<Element, Failure>...
  ) -> Observable<Element, Failure> {
    Observable.concat([observable, other] + more)
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
    merge(atMost: 1)
  }
}
