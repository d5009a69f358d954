extension ObservableConvertible {
  /// Goes on with another stream when this one fails.
  ///
  ///     source  a-b^
  ///     other   x-y|
  ///     result  a-bx-y|   source.catch { _ in other }
  ///
  /// - Parameter replacement: gets the failure and returns the stream to go on with, which may fail in another way, or
  ///   not at all. It is called at most once per subscription, and not at all when this stream finishes.
  /// - Ordering: all values of this stream come before those of the replacement.
  /// - Errors: the failure of the result is that of the replacement.
  /// - Complexity: O(1) per value, and constant stack and memory, also where the replacement goes on with another one
  ///   in the same way, for ever.
  @inlinable
  public func `catch`<NewFailure: Error>(
    _ replacement: @escaping @Sendable (Failure) -> Observable<Element, NewFailure>
  ) -> Observable<Element, NewFailure> {
    goOn(with: replacement)
  }

  @inlinable
  @inline(__always)
  func goOn<NewFailure: Error>(
    with replacement: @escaping @Sendable (Failure) -> Observable<Element, NewFailure>
  ) -> Observable<Element, NewFailure> {
    let attach = observable.attach
    return Observable<Element, NewFailure>(attach: { observer in
      let upstream = Lifetime(within: observer.lifetime)
      attach(
        observer.upstream(lifetime: upstream) { value in
          observer.send(value)
        } onEnd: { end in
          switch end {
          case .finished:
            observer.end(.finished)
          case .failed(let failure):
            observer.lifetime.end(upstream)
            SubscriptionLoop.run(for: observer, after: observer) {
              if observer.lifetime.isActive { replacement(failure).attach(observer) }
            }
          }
        }
      )
    })
  }

  /// Goes on with a stream that cannot fail when this one fails, such as ``Observable/empty``.
  ///
  ///     source  a-b^
  ///     result  a-b|   source.catch { _ in .empty }
  ///
  /// - Parameter replacement: gets the failure and returns the stream to go on with.
  /// - Complexity: O(1) per value.
  @inlinable
  public func `catch`(
    _ replacement: @escaping @Sendable (Failure) -> Observable<Element, Never>
  ) -> Observable<Element, Never> {
    goOn(with: replacement)
  }

  /// Sends a value in place of the failure, then finishes.
  ///
  ///     source  a-b^
  ///     result  a-b[x|]   replaceError(with: "x")
  ///
  /// - Errors: the result cannot fail.
  /// - Complexity: O(1) per value.
  @inlinable
  public func replaceError(with value: Element) -> Observable<Element, Never> {
    goOn { _ in .just(value) }
  }
}
