// The operators whose second input may be a subject, a selection or whatever else has a stream. Those that take an
// `Observable` stay, because only with them an input can be written as `.timer(after:)`.

extension ObservableConvertible {
  /// Merges this stream with that of a subject or a selection, as
  /// ``Observable/merge(_:)-([Observable<Element,Failure>])`` does.
  ///
  /// - Complexity: as ``Observable/merge(_:)-([Observable<Element,Failure>])``.
  @inlinable
  public func merge(with other: some ObservableConvertible<Element, Failure>) -> Observable<Element, Failure> {
    merge(with: other.observable)
  }

  /// Goes on with the stream of a subject or a selection when this one has finished, as
  /// ``Observable/concat(_:)-([Observable<Element,Failure>])`` does.
  ///
  /// - Complexity: as ``Observable/concat(_:)-([Observable<Element,Failure>])``.
  @inlinable
  public func concat(with other: some ObservableConvertible<Element, Failure>) -> Observable<Element, Failure> {
    concat(with: other.observable)
  }

  /// Sends values until a subject or a selection sends one, then finishes and cancels upstream, as
  /// for another stream.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public func prefix(until stop: some ObservableConvertible<some Sendable, Never>) -> Observable<Element, Failure> {
    prefix(until: stop.observable)
  }

  /// Sends the newest value whenever a subject or a selection sends one, if there is a value that was not sent yet.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public func sample(on ticks: some ObservableConvertible<some Sendable, Never>) -> Observable<Element, Failure> {
    sample(on: ticks.observable)
  }
}

// Only for subjects: where any argument could be whatever has a stream, the compiler would try all of that for each
// operator in an argument, and would not come to an end.
extension Observable {
  /// Merges subjects, as ``merge(_:)-([Observable<Element,Failure>])`` does streams.
  ///
  /// - Complexity: as ``merge(_:)-([Observable<Element,Failure>])``.
  @_disfavoredOverload
  @inlinable
  public static func merge(_ subjects: [Subject<Element, Failure>]) -> Observable {
    merge(subjects.map(\.observable))
  }

  /// Merges subjects, as ``merge(_:)-([Observable<Element,Failure>])`` does streams.
  ///
  /// - Complexity: as ``merge(_:)-([Observable<Element,Failure>])``.
  @_disfavoredOverload
  @inlinable
  public static func merge(_ subjects: Subject<Element, Failure>...) -> Observable {
    merge(subjects)
  }
}

// For subjects and selections. The failure is `Never`: where it could be another one, the compiler would not find the
// type of what the closure of the operator behind may throw.
extension Observable where Element == Never, Failure == Never {
  /// Sends the newest values of two subjects, selections or streams that cannot fail, as the function for streams does.
  ///
  /// - Complexity: O(1) per value.
  @_disfavoredOverload
  @inlinable
  public static func combineLatest<First: Sendable, Second: Sendable>(
    _ first: some ObservableConvertible<First, Never>,
    _ second: some ObservableConvertible<Second, Never>
  ) -> Observable<(First, Second), Never> {
    combineLatest(first.observable, second.observable)
  }

  /// Sends the newest values of three subjects, selections or streams that cannot fail, as the function for streams
  /// does.
  ///
  /// - Complexity: O(1) per value.
  @_disfavoredOverload
  @inlinable
  public static func combineLatest<First: Sendable, Second: Sendable, Third: Sendable>(
    _ first: some ObservableConvertible<First, Never>,
    _ second: some ObservableConvertible<Second, Never>,
    _ third: some ObservableConvertible<Third, Never>
  ) -> Observable<(First, Second, Third), Never> {
    combineLatest(first.observable, second.observable, third.observable)
  }
}
