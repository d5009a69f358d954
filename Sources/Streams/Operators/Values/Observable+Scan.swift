extension ObservableConvertible {
  /// Sends the running fold of all values so far. The seed itself is not sent.
  ///
  ///     source  1-2-3|
  ///     result  1-3-6|    scan(0) { $0 + $1 }
  ///
  /// - Parameters:
  ///   - initial: the seed. It is evaluated anew for each subscription, so that two subscribers never share one.
  ///   - next: makes the next result.
  /// - Ordering: as upstream.
  /// - Concurrency: `next` is never called twice at once by one subscription, nor under a lock.
  /// - Errors: if `next` throws, the stream ends with that error at that value, and upstream is cancelled. Earlier
  ///   results have been sent.
  /// - Complexity: O(1) per value, beside the cost of `next`.
  @inlinable
  public func scan<Result: Sendable>(
    _ initial: @autoclosure @escaping @Sendable () -> Result,
    _ next: @escaping @Sendable (Result, Element) throws(Failure) -> Result
  ) -> Observable<Result, Failure> {
    scan(into: initial()) { result, value throws(Failure) in result = try next(result, value) }
  }

  /// Sends the running fold of all values so far, folding in place. The seed itself is not sent.
  ///
  ///     source  a-b-c|
  ///     result  1-2-3|    scan(into: 0) { count, _ in count += 1 }
  ///
  /// Each result that is sent shares its storage with the fold: an observer that keeps a large collection makes the
  /// next value copy it. An `Aggregator` folds without that copy.
  ///
  /// - Parameters:
  ///   - initial: the seed. It is evaluated anew for each subscription.
  ///   - update: changes the result.
  /// - Ordering: as upstream.
  /// - Concurrency: `update` is never called twice at once by one subscription, nor under a lock.
  /// - Errors: if `update` throws, the stream ends with that error at that value, and upstream is cancelled.
  /// - Complexity: O(1) per value, beside the cost of `update`.
  @inlinable
  public func scan<Result: Sendable>(
    into initial: @autoclosure @escaping @Sendable () -> Result,
    _ update: @escaping @Sendable (inout Result, Element) throws(Failure) -> Void
  ) -> Observable<Result, Failure> {
    observable.handleValues(with: initial) { result, value, observer throws(Failure) in
      try update(&result, value)
      observer.send(result)
    }
  }
}
