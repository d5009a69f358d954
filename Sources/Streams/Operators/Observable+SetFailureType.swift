extension Observable where Failure == Never {
  /// The same stream, seen as one that may fail, so that it can be merged with streams that do, or take closures that
  /// throw.
  ///
  ///     let readings = lines.setFailureType(to: ParseError.self)
  ///       .map { line throws(ParseError) in try Reading(line) }
  @inlinable
  public func setFailureType<NewFailure: Error>(to type: NewFailure.Type) -> Observable<Element, NewFailure> {
    let attach = attach
    return Observable<Element, NewFailure>(attach: { observer in
      attach(
        Observer(lifetime: observer.lifetime, onValue: observer.onValue) { signal in
          switch signal {
          case .end: observer.end(.finished)
          case .barrier(let resume): observer.signal(.barrier(resume))
          }
        }
      )
    })
  }
}
