extension ObservableConvertible {
  /// Sends the transform of each value.
  ///
  ///     source  a-b-c|
  ///     result  A-B-C|    map { $0.uppercased() }
  ///
  /// - Ordering: as upstream; the transform runs once per value and subscription.
  /// - Concurrency: the transform is never called twice at once by one subscription, nor under a lock.
  /// - Errors: a transform that throws ends the stream with its error at that value and cancels upstream. Closures use
  ///   typed throws; on a stream that cannot fail, call ``setFailureType(to:)`` first.
  /// - Complexity: O(1) per value, beside the cost of the transform.
  @inlinable
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws(Failure) -> Output
  ) -> Observable<Output, Failure> {
    let attach = observable.attach
    // One closure per operator: through `handleValues` it would be two, and a `map` is often all there is.
    let step: Observer<Element, Failure>.Step = { value, next in
      // A function, because a closure cannot be told to be inlined: it would be one call more for each value.
      @inline(__always)
      func pass(to observer: Observer<Output, Failure>) {
        do throws(Failure) {
          observer.send(try transform(value))
        } catch {
          observer.end(.failed(error))
        }
      }
      next.withObserver(pass)
    }
    return Observable<Output, Failure>(attach: { observer in attach(observer.upstream(step: step)) })
  }

  /// Sends the transform of each value for which there is one, and drops the values for which it is `nil`.
  ///
  ///     source  1-x-3|
  ///     result  1---3|    compactMap { Int($0) }
  ///
  /// - Ordering: as ``map(_:)``.
  /// - Concurrency: as ``map(_:)``.
  /// - Errors: as ``map(_:)``.
  /// - Complexity: O(1) per value, beside the cost of the closure.
  @inlinable
  public func compactMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws(Failure) -> Output?
  ) -> Observable<Output, Failure> {
    observable.handleValues { value, observer throws(Failure) in
      if let output = try transform(value) { observer.send(output) }
    }
  }

  /// Sends the values that satisfy the predicate.
  ///
  ///     source  abBc-C|
  ///     result  --B--C|   filter { $0.isUppercase }
  ///
  /// - Ordering: as ``map(_:)``.
  /// - Concurrency: as ``map(_:)``.
  /// - Errors: as ``map(_:)``.
  /// - Complexity: O(1) per value, beside the cost of the closure.
  @inlinable
  public func filter(
    _ isIncluded: @escaping @Sendable (Element) throws(Failure) -> Bool
  ) -> Observable<Element, Failure> {
    observable.handleValues { value, observer throws(Failure) in
      if try isIncluded(value) { observer.send(value) }
    }
  }
}
