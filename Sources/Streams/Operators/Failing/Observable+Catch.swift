extension Observable {
  /// Goes on with another stream when this one fails.
  ///
  ///     source  a-b^
  ///     other   x-y|
  ///     result  a-bx-y|   source.catch { _ in other }
  ///
  /// - Parameter replacement: gets the failure and gives the stream to go on with, which may fail in a way of its own, or
  ///   not at all. Called at most once per subscription.
  /// - Completion: when this stream finishes, so does the result, and `replacement` is not called.
  @inlinable
  public func `catch`<NewFailure: Error>(
    _ replacement: @escaping @Sendable (Failure) -> Observable<Element, NewFailure>
  ) -> Observable<Element, NewFailure> {
    let attach = attach
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
            upstream.terminate()
            if observer.lifetime.isActive { replacement(failure).attach(observer) }
          }
        }
      )
    })
  }
}
