import RASPPrimitives

// `combineLatest` of four to eight streams, as for any number of them, but with a row of its own for each number, which
// the compiler specialises.
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
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>
  ) -> Observable<(First, Second, Third, Fourth), Failure> {
    Observable<(First, Second, Third, Fourth), Failure>.combined(Row4<First, Second, Third, Fourth>.self, inputs: 4) {
      stage in
      stage.attach(first, as: 0) { .first($0) }
      stage.attach(second, as: 1) { .second($0) }
      stage.attach(third, as: 2) { .third($0) }
      stage.attach(fourth, as: 3) { .fourth($0) }
    }
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
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>,
    _ fifth: Observable<Fifth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth), Failure> {
    Observable<(First, Second, Third, Fourth, Fifth), Failure>.combined(
      Row5<First, Second, Third, Fourth, Fifth>.self,
      inputs: 5
    ) { stage in
      stage.attach(first, as: 0) { .first($0) }
      stage.attach(second, as: 1) { .second($0) }
      stage.attach(third, as: 2) { .third($0) }
      stage.attach(fourth, as: 3) { .fourth($0) }
      stage.attach(fifth, as: 4) { .fifth($0) }
    }
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
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>,
    _ fifth: Observable<Fifth, Failure>,
    _ sixth: Observable<Sixth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth), Failure> {
    Observable<(First, Second, Third, Fourth, Fifth, Sixth), Failure>.combined(
      Row6<First, Second, Third, Fourth, Fifth, Sixth>.self,
      inputs: 6
    ) { stage in
      stage.attach(first, as: 0) { .first($0) }
      stage.attach(second, as: 1) { .second($0) }
      stage.attach(third, as: 2) { .third($0) }
      stage.attach(fourth, as: 3) { .fourth($0) }
      stage.attach(fifth, as: 4) { .fifth($0) }
      stage.attach(sixth, as: 5) { .sixth($0) }
    }
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
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>,
    _ fifth: Observable<Fifth, Failure>,
    _ sixth: Observable<Sixth, Failure>,
    _ seventh: Observable<Seventh, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth, Seventh), Failure> {
    Observable<(First, Second, Third, Fourth, Fifth, Sixth, Seventh), Failure>.combined(
      Row7<First, Second, Third, Fourth, Fifth, Sixth, Seventh>.self,
      inputs: 7
    ) { stage in
      stage.attach(first, as: 0) { .first($0) }
      stage.attach(second, as: 1) { .second($0) }
      stage.attach(third, as: 2) { .third($0) }
      stage.attach(fourth, as: 3) { .fourth($0) }
      stage.attach(fifth, as: 4) { .fifth($0) }
      stage.attach(sixth, as: 5) { .sixth($0) }
      stage.attach(seventh, as: 6) { .seventh($0) }
    }
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
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>,
    _ fifth: Observable<Fifth, Failure>,
    _ sixth: Observable<Sixth, Failure>,
    _ seventh: Observable<Seventh, Failure>,
    _ eighth: Observable<Eighth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth), Failure> {
    Observable<(First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth), Failure>.combined(
      Row8<First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth>.self,
      inputs: 8
    ) { stage in
      stage.attach(first, as: 0) { .first($0) }
      stage.attach(second, as: 1) { .second($0) }
      stage.attach(third, as: 2) { .third($0) }
      stage.attach(fourth, as: 3) { .fourth($0) }
      stage.attach(fifth, as: 4) { .fifth($0) }
      stage.attach(sixth, as: 5) { .sixth($0) }
      stage.attach(seventh, as: 6) { .seventh($0) }
      stage.attach(eighth, as: 7) { .eighth($0) }
    }
  }
}
