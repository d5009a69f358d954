// Closures that throw, and a failure, for streams that cannot fail. Nothing in this file can be called: the compiler
// answers with the remedy, which is also the body. Without these declarations it would say that a conversion of
// function types is invalid. They are disfavoured, so that a closure that does not throw is not ambiguous.

extension ObservableConvertible where Failure == Never {
  /// The `map` of a closure that throws: the stream needs a failure type first.
  @_disfavoredOverload
  @available(
    *,
    unavailable,
    message: "the closure throws, but this stream cannot fail: call 'setFailureType(to:)' first"
  )
  public func map<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Output
  ) -> Observable<Output, any Error> {
    setFailureType(to: (any Error).self).map(transform)
  }

  /// The `compactMap` of a closure that throws: the stream needs a failure type first.
  @_disfavoredOverload
  @available(
    *,
    unavailable,
    message: "the closure throws, but this stream cannot fail: call 'setFailureType(to:)' or write 'try?'"
  )
  public func compactMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Output?
  ) -> Observable<Output, any Error> {
    setFailureType(to: (any Error).self).compactMap(transform)
  }

  /// The `filter` of a closure that throws: the stream needs a failure type first.
  @_disfavoredOverload
  @available(
    *,
    unavailable,
    message: "the closure throws, but this stream cannot fail: call 'setFailureType(to:)' first"
  )
  public func filter(
    _ isIncluded: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element, any Error> {
    setFailureType(to: (any Error).self).filter(isIncluded)
  }

  /// The `prefix(while:)` of a closure that throws: the stream needs a failure type first.
  @_disfavoredOverload
  @available(
    *,
    unavailable,
    message: "the closure throws, but this stream cannot fail: call 'setFailureType(to:)' first"
  )
  public func prefix(
    while predicate: @escaping @Sendable (Element) throws -> Bool
  ) -> Observable<Element, any Error> {
    setFailureType(to: (any Error).self).prefix(while: predicate)
  }

  /// The `scan` of a closure that throws: the stream needs a failure type first.
  @_disfavoredOverload
  @available(
    *,
    unavailable,
    message: "the closure throws, but this stream cannot fail: call 'setFailureType(to:)' first"
  )
  public func scan<Result: Sendable>(
    _ initial: @autoclosure @escaping @Sendable () -> Result,
    _ next: @escaping @Sendable (Result, Element) throws -> Result
  ) -> Observable<Result, any Error> {
    setFailureType(to: (any Error).self).scan(initial(), next)
  }

  /// The `scan(into:)` of a closure that throws: the stream needs a failure type first.
  @_disfavoredOverload
  @available(
    *,
    unavailable,
    message: "the closure throws, but this stream cannot fail: call 'setFailureType(to:)' first"
  )
  public func scan<Result: Sendable>(
    into initial: @autoclosure @escaping @Sendable () -> Result,
    _ update: @escaping @Sendable (inout Result, Element) throws -> Void
  ) -> Observable<Result, any Error> {
    setFailureType(to: (any Error).self).scan(into: initial(), update)
  }

  /// The `timeout(after:on:failure:)` of a stream that cannot fail: the stream needs a failure type first.
  @_disfavoredOverload
  @available(
    *,
    unavailable,
    message: "this stream cannot fail: call 'setFailureType(to:)' with the type of the failure first"
  )
  public func timeout(
    after limit: Duration,
    on scheduler: some Scheduler = .continuous,
    failure: @autoclosure @escaping @Sendable () -> any Error
  ) -> Observable<Element, any Error> {
    setFailureType(to: (any Error).self).timeout(after: limit, on: scheduler, failure: failure())
  }
}
