// The names that other libraries give to what has another name here. Nothing in this file can be called: the compiler
// answers with what to write instead. Each body is that replacement, so the compiler also checks that it exists. The
// section "Names" of the article Contract says how the names were chosen.

extension ObservableConvertible {
  /// The name that Combine and AsyncAlgorithms give to ``distinctUntilChanged()``.
  @available(*, unavailable, renamed: "distinctUntilChanged()")
  public func removeDuplicates() -> Observable<Element, Failure> where Element: Equatable {
    distinctUntilChanged()
  }

  /// The name that Combine and AsyncAlgorithms give to `distinctUntilChanged(by:)`.
  @available(*, unavailable, renamed: "distinctUntilChanged(by:)")
  public func removeDuplicates(
    by areEquivalent: @escaping @Sendable (_ old: Element, _ new: Element) throws(Failure) -> Bool
  ) -> Observable<Element, Failure> {
    distinctUntilChanged(by: areEquivalent)
  }

  /// The name that the Rx family gives to ``prefix(_:)``.
  @available(*, unavailable, renamed: "prefix(_:)")
  public func take(_ count: Int) -> Observable<Element, Failure> {
    prefix(count)
  }

  /// The name that Combine and the Rx family give to `map` followed by ``merge()``. The standard library gives it to a
  /// sequence of sequences that are read one after the other, so the name alone does not say enough.
  @available(*, unavailable, message: "write 'map { … }.merge()'")
  public func flatMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws(Failure) -> Observable<Output, Failure>
  ) -> Observable<Output, Failure> {
    map(transform).merge()
  }

  /// The name that RxSwift and AsyncAlgorithms give to `map` followed by ``switchToLatest()``.
  @available(*, unavailable, message: "write 'map { … }.switchToLatest()'")
  public func flatMapLatest<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws(Failure) -> Observable<Output, Failure>
  ) -> Observable<Output, Failure> {
    map(transform).switchToLatest()
  }

  /// The name that RxJava and RxJS give to `map` followed by ``switchToLatest()``.
  @available(*, unavailable, message: "write 'map { … }.switchToLatest()'")
  public func switchMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws(Failure) -> Observable<Output, Failure>
  ) -> Observable<Output, Failure> {
    map(transform).switchToLatest()
  }

  /// The name that the Rx family gives to `map` followed by ``concat()``.
  @available(*, unavailable, message: "write 'map { … }.concat()'")
  public func concatMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws(Failure) -> Observable<Output, Failure>
  ) -> Observable<Output, Failure> {
    map(transform).concat()
  }

  /// The name that RxSwift gives to ``withLatest(from:)``.
  @available(*, unavailable, renamed: "withLatest(from:)")
  public func withLatestFrom<Other: Sendable>(
    _ other: Observable<Other, Failure>
  ) -> Observable<(Element, Other), Failure> {
    withLatest(from: other)
  }

  /// The name that the Rx family gives to ``prepend(_:)-(Element...)``.
  @available(*, unavailable, renamed: "prepend(_:)")
  public func startWith(_ values: Element...) -> Observable<Element, Failure> {
    prepend(values)
  }

  /// The name that the Rx family gives to ``dropFirst(_:)``.
  @available(*, unavailable, renamed: "dropFirst(_:)")
  public func skip(_ count: Int) -> Observable<Element, Failure> {
    dropFirst(count)
  }

  /// The name that Combine gives to ``map(_:)`` with a closure that throws.
  @available(
    *,
    unavailable,
    message: "write 'map', whose closure may throw the stream's failure; 'setFailureType(to:)' gives the stream one"
  )
  public func tryMap<Output: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Output
  ) -> Observable<Output, any Error> where Failure == Never {
    setFailureType(to: (any Error).self).map(transform)
  }

  /// The name that RxSwift and ReactiveSwift give to `receive(on:)`.
  @available(*, unavailable, renamed: "receive(on:)")
  public func observe<Isolation: Actor>(on actor: Isolation) -> IsolatedObservable<Element, Failure, Isolation> {
    receive(on: actor)
  }

  /// The name that Combine and RxSwift give to subscribing somewhere else, which is not needed here.
  @available(
    *,
    unavailable,
    message: "a subscription begins where 'subscribe' is called; 'receive(on:)' says where its values are delivered"
  )
  public func subscribe<Context>(on context: Context) -> Observable<Element, Failure> {
    observable
  }

  /// The name that Combine gives to ``subscribe(_:onEnd:)`` for a stream that cannot fail.
  @available(*, unavailable, message: "write 'subscribe { … }'; it returns a token that cancels when it is released")
  public func sink(receiveValue: @escaping @Sendable (Element) -> Void) -> Subscription where Failure == Never {
    subscribe(receiveValue)
  }

  /// The name that Combine gives to ``subscribe(_:onEnd:)``.
  @available(
    *,
    unavailable,
    message: "write 'subscribe { … } onEnd: { … }'; it returns a token that cancels when it is released"
  )
  public func sink(
    receiveCompletion: @escaping @Sendable (StreamEnd<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Element) -> Void
  ) -> Subscription {
    subscribe(receiveValue, onEnd: receiveCompletion)
  }

  /// The call that ends a chain of operators in Combine, and is not needed here.
  @available(*, unavailable, message: "leave it out; 'observable' is the stream itself, where its type is needed")
  public func eraseToAnyPublisher() -> Observable<Element, Failure> {
    observable
  }

  /// The call that ends a chain of operators in RxSwift, and is not needed here.
  @available(*, unavailable, message: "leave it out; 'observable' is the stream itself, where its type is needed")
  public func asObservable() -> Observable<Element, Failure> {
    observable
  }

  /// The name that Combine and RxSwift give to the asynchronous sequence of a stream.
  @available(
    *,
    unavailable,
    message: "write 'values(buffering:)': what happens to values that wait is said where it is chosen"
  )
  public var values: AsyncValues<Element, Failure> {
    values(buffering: .unbounded)
  }
}
