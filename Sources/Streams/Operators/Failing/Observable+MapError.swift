extension Observable {
  /// The same stream, with its failure made into another one.
  ///
  ///     source  a-b^
  ///     result  a-b^      mapError { SensorError($0) }
  ///
  /// - Parameter transform: makes the new failure; called at most once per subscription.
  @inlinable
  public func mapError<NewFailure: Error>(
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Observable<Element, NewFailure> {
    let attach = attach
    return Observable<Element, NewFailure>(attach: { observer in
      attach(
        Observer(
          lifetime: observer.lifetime,
          onValue: observer.onValue,
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

extension Observable where Failure == Never {
  /// The same stream, seen as one that may fail, so that it can be merged with streams that do, or take closures that
  /// throw.
  ///
  ///     source  1-2-x-3|
  ///     result  1-2-^     setFailureType(to: ParseError.self).map { x throws(ParseError) in try parse(x) }
  @inlinable
  public func setFailureType<NewFailure: Error>(to type: NewFailure.Type) -> Observable<Element, NewFailure> {
    mapError(fromNever)
  }
}

/// What a failure that cannot happen is made into.
@usableFromInline
func fromNever<NewFailure: Error>(_ failure: Never) -> NewFailure {}
