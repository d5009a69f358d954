extension ObservableConvertible {
  /// Sends the same values, and transforms the failure.
  ///
  ///     source  a-b^
  ///     result  a-b^      mapError { SensorError($0) }
  ///
  /// - Parameter transform: makes the new failure. It is called at most once per subscription.
  /// - Complexity: O(1) per value.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Observable<Element, NewFailure> {
    let attach = observable.attach
    return Observable<Element, NewFailure>(attach: { observer in
      attach(
        Observer(
          lifetime: observer.lifetime,
          onValue: { observer.send($0) },
          onEnd: { end in
            switch end {
            case .finished: observer.end(.finished)
            case .failed(let failure): observer.end(.failed(transform(failure)))
            }
          },
          onAcknowledge: observer.onAcknowledge
        )
      )
    })
  }
}

extension ObservableConvertible where Failure == Never {
  /// Gives a stream that cannot fail a failure type, so that it can be merged with streams that may fail, or take
  /// closures that throw.
  ///
  ///     source  1-2-x-3|
  ///     result  1-2-^     setFailureType(to: ParseError.self).map { x throws(ParseError) in try parse(x) }
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public func setFailureType<NewFailure: Error>(to type: NewFailure.Type) -> Observable<Element, NewFailure> {
    mapError(fromNever)
  }
}

/// Transforms a failure that cannot happen.
@usableFromInline
func fromNever<NewFailure: Error>(_ failure: Never) -> NewFailure {}
