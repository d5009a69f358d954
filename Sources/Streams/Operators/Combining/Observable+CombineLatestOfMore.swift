// `combineLatest` of four to eight streams, as for any number of them, but with a row that the compiler specialises.
extension Observable where Element == Never {
  /// Sends the newest values of four streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<
    First: Sendable,
    Second: Sendable,
    Third: Sendable,
    Fourth: Sendable
  >(
    _ first: any ObservableConvertible<First, Failure>,
    _ second: any ObservableConvertible<Second, Failure>,
    _ third: any ObservableConvertible<Third, Failure>,
    _ fourth: any ObservableConvertible<Fourth, Failure>
  ) -> Observable<(First, Second, Third, Fourth), Failure> {
    typealias Row = Row4<First, Second, Third, Fourth>
    return Observable<Row.All, Failure>.combined(Row.self) { stage in
      stage.attach(first.observable, as: 0) { .first(.first($0)) }
      stage.attach(second.observable, as: 1) { .first(.second($0)) }
      stage.attach(third.observable, as: 2) { .second(.first($0)) }
      stage.attach(fourth.observable, as: 3) { .second(.second($0)) }
    }
    .map { ($0.0.0, $0.0.1, $0.1.0, $0.1.1) }
  }

  /// Sends the newest values of five streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<
    First: Sendable,
    Second: Sendable,
    Third: Sendable,
    Fourth: Sendable,
    Fifth: Sendable
  >(
    _ first: any ObservableConvertible<First, Failure>,
    _ second: any ObservableConvertible<Second, Failure>,
    _ third: any ObservableConvertible<Third, Failure>,
    _ fourth: any ObservableConvertible<Fourth, Failure>,
    _ fifth: any ObservableConvertible<Fifth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth), Failure> {
    typealias Row = CombinedPair<Row4<First, Second, Third, Fourth>, CombinedValue<Fifth>>
    return Observable<Row.All, Failure>.combined(Row.self) { stage in
      stage.attach(first.observable, as: 0) { .first(.first(.first($0))) }
      stage.attach(second.observable, as: 1) { .first(.first(.second($0))) }
      stage.attach(third.observable, as: 2) { .first(.second(.first($0))) }
      stage.attach(fourth.observable, as: 3) { .first(.second(.second($0))) }
      stage.attach(fifth.observable, as: 4) { .second($0) }
    }
    .map { ($0.0.0.0, $0.0.0.1, $0.0.1.0, $0.0.1.1, $0.1) }
  }

  /// Sends the newest values of six streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<
    First: Sendable,
    Second: Sendable,
    Third: Sendable,
    Fourth: Sendable,
    Fifth: Sendable,
    Sixth: Sendable
  >(
    _ first: any ObservableConvertible<First, Failure>,
    _ second: any ObservableConvertible<Second, Failure>,
    _ third: any ObservableConvertible<Third, Failure>,
    _ fourth: any ObservableConvertible<Fourth, Failure>,
    _ fifth: any ObservableConvertible<Fifth, Failure>,
    _ sixth: any ObservableConvertible<Sixth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth), Failure> {
    typealias Row = CombinedPair<Row4<First, Second, Third, Fourth>, Row2<Fifth, Sixth>>
    return Observable<Row.All, Failure>.combined(Row.self) { stage in
      stage.attach(first.observable, as: 0) { .first(.first(.first($0))) }
      stage.attach(second.observable, as: 1) { .first(.first(.second($0))) }
      stage.attach(third.observable, as: 2) { .first(.second(.first($0))) }
      stage.attach(fourth.observable, as: 3) { .first(.second(.second($0))) }
      stage.attach(fifth.observable, as: 4) { .second(.first($0)) }
      stage.attach(sixth.observable, as: 5) { .second(.second($0)) }
    }
    .map { ($0.0.0.0, $0.0.0.1, $0.0.1.0, $0.0.1.1, $0.1.0, $0.1.1) }
  }

  /// Sends the newest values of seven streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<
    First: Sendable,
    Second: Sendable,
    Third: Sendable,
    Fourth: Sendable,
    Fifth: Sendable,
    Sixth: Sendable,
    Seventh: Sendable
  >(
    _ first: any ObservableConvertible<First, Failure>,
    _ second: any ObservableConvertible<Second, Failure>,
    _ third: any ObservableConvertible<Third, Failure>,
    _ fourth: any ObservableConvertible<Fourth, Failure>,
    _ fifth: any ObservableConvertible<Fifth, Failure>,
    _ sixth: any ObservableConvertible<Sixth, Failure>,
    _ seventh: any ObservableConvertible<Seventh, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth, Seventh), Failure> {
    typealias Row = CombinedPair<
      Row4<First, Second, Third, Fourth>, CombinedPair<Row2<Fifth, Sixth>, CombinedValue<Seventh>>
    >
    return Observable<Row.All, Failure>.combined(Row.self) { stage in
      stage.attach(first.observable, as: 0) { .first(.first(.first($0))) }
      stage.attach(second.observable, as: 1) { .first(.first(.second($0))) }
      stage.attach(third.observable, as: 2) { .first(.second(.first($0))) }
      stage.attach(fourth.observable, as: 3) { .first(.second(.second($0))) }
      stage.attach(fifth.observable, as: 4) { .second(.first(.first($0))) }
      stage.attach(sixth.observable, as: 5) { .second(.first(.second($0))) }
      stage.attach(seventh.observable, as: 6) { .second(.second($0)) }
    }
    .map { ($0.0.0.0, $0.0.0.1, $0.0.1.0, $0.0.1.1, $0.1.0.0, $0.1.0.1, $0.1.1) }
  }

  /// Sends the newest values of eight streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<
    First: Sendable,
    Second: Sendable,
    Third: Sendable,
    Fourth: Sendable,
    Fifth: Sendable,
    Sixth: Sendable,
    Seventh: Sendable,
    Eighth: Sendable
  >(
    _ first: any ObservableConvertible<First, Failure>,
    _ second: any ObservableConvertible<Second, Failure>,
    _ third: any ObservableConvertible<Third, Failure>,
    _ fourth: any ObservableConvertible<Fourth, Failure>,
    _ fifth: any ObservableConvertible<Fifth, Failure>,
    _ sixth: any ObservableConvertible<Sixth, Failure>,
    _ seventh: any ObservableConvertible<Seventh, Failure>,
    _ eighth: any ObservableConvertible<Eighth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth), Failure> {
    typealias Row = CombinedPair<Row4<First, Second, Third, Fourth>, Row4<Fifth, Sixth, Seventh, Eighth>>
    return Observable<Row.All, Failure>.combined(Row.self) { stage in
      stage.attach(first.observable, as: 0) { .first(.first(.first($0))) }
      stage.attach(second.observable, as: 1) { .first(.first(.second($0))) }
      stage.attach(third.observable, as: 2) { .first(.second(.first($0))) }
      stage.attach(fourth.observable, as: 3) { .first(.second(.second($0))) }
      stage.attach(fifth.observable, as: 4) { .second(.first(.first($0))) }
      stage.attach(sixth.observable, as: 5) { .second(.first(.second($0))) }
      stage.attach(seventh.observable, as: 6) { .second(.second(.first($0))) }
      stage.attach(eighth.observable, as: 7) { .second(.second(.second($0))) }
    }
    .map { ($0.0.0.0, $0.0.0.1, $0.0.1.0, $0.0.1.1, $0.1.0.0, $0.1.0.1, $0.1.1.0, $0.1.1.1) }
  }
}
