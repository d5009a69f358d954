extension ObservableConvertible {
  /// Sends at most the first `count` values, then finishes and cancels upstream.
  ///
  ///     source  a-b-c-d|
  ///     result  a-[b|]    prefix(2)
  ///
  /// The end comes with the last value, not when upstream would send one more. With a `count` of zero or less the
  /// stream finishes at once, and upstream is never subscribed to.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public func prefix(_ count: Int) -> Observable<Element, Failure> {
    guard count > 0 else { return Observable<Element, Failure>(attach: { $0.end(.finished) }) }
    return observable.handleValues(with: { count }) { remaining, value, observer in
      // Counted down first: a value that arrives in spite of the end must not pass.
      guard remaining > 0 else { return }
      remaining -= 1
      let isLast = remaining == 0
      observer.send(value)
      if isLast { observer.end(.finished) }
    }
  }

  /// Sends values as long as they satisfy the predicate, then finishes and cancels upstream.
  ///
  ///     source  a-b-C-d|
  ///     result  a-b-|     prefix { $0.isLowercase }
  ///
  /// The first value that does not satisfy it is not sent.
  ///
  /// - Parameter predicate: is called for each value until one does not satisfy it.
  /// - Concurrency: the predicate is never called twice at once by one subscription, nor under a lock.
  /// - Errors: a predicate that throws ends the stream with its error, and upstream is cancelled.
  /// - Complexity: O(1) per value, beside the cost of the predicate.
  @inlinable
  public func prefix(
    while predicate: @escaping @Sendable (Element) throws(Failure) -> Bool
  ) -> Observable<Element, Failure> {
    observable.handleValues { value, observer throws(Failure) in
      if try predicate(value) { observer.send(value) } else { observer.end(.finished) }
    }
  }

  /// Drops the first `count` values and sends those that follow.
  ///
  ///     source  a-b-c-d|
  ///     result  ----c-d|   dropFirst(2)
  ///
  /// - Parameter count: the number of values to drop. Zero or less drops nothing.
  /// - Complexity: O(1) per value.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Observable<Element, Failure> {
    observable.handleValues(with: { max(0, count) }) { remaining, value, observer in
      guard remaining == 0 else {
        remaining -= 1
        return
      }
      observer.send(value)
    }
  }

  /// Drops values as long as they satisfy the predicate, and sends all that follow.
  ///
  ///     source  a-b-C-d|
  ///     result  ----C-d|   drop { $0.isLowercase }
  ///
  /// The first value that does not satisfy it is sent.
  ///
  /// - Parameter predicate: is called for each value until one does not satisfy it.
  /// - Ordering: as upstream.
  /// - Concurrency: the predicate is never called twice at once by one subscription, nor under a lock.
  /// - Errors: a predicate that throws ends the stream with its error, and upstream is cancelled.
  /// - Complexity: O(1) per value, beside the cost of the predicate.
  @inlinable
  public func drop(
    while predicate: @escaping @Sendable (Element) throws(Failure) -> Bool
  ) -> Observable<Element, Failure> {
    observable.handleValues(with: { true }) { isDropping, value, observer throws(Failure) in
      if isDropping, try predicate(value) { return }
      isDropping = false
      observer.send(value)
    }
  }
}
