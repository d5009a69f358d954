// `combineLatest` of four to eight streams, as for any number of them, but the compiler specialises it: pairs of pairs.
extension Observable where Element == Never {
  /// Sends the newest values of four streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<First, Second, Third, Fourth>(
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>
  ) -> Observable<(First, Second, Third, Fourth), Failure> {
    combineLatest(combineLatest(first, second), combineLatest(third, fourth)).map { ($0.0.0, $0.0.1, $0.1.0, $0.1.1) }
  }

  /// Sends the newest values of five streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<First, Second, Third, Fourth, Fifth>(
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>,
    _ fifth: Observable<Fifth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth), Failure> {
    combineLatest(combineLatest(first, second, third, fourth), fifth).map { ($0.0.0, $0.0.1, $0.0.2, $0.0.3, $0.1) }
  }

  /// Sends the newest values of six streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<First, Second, Third, Fourth, Fifth, Sixth>(
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>,
    _ fifth: Observable<Fifth, Failure>,
    _ sixth: Observable<Sixth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth), Failure> {
    combineLatest(combineLatest(first, second, third, fourth), combineLatest(fifth, sixth))
      .map { ($0.0.0, $0.0.1, $0.0.2, $0.0.3, $0.1.0, $0.1.1) }
  }

  /// Sends the newest values of seven streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<First, Second, Third, Fourth, Fifth, Sixth, Seventh>(
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>,
    _ fifth: Observable<Fifth, Failure>,
    _ sixth: Observable<Sixth, Failure>,
    _ seventh: Observable<Seventh, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth, Seventh), Failure> {
    combineLatest(combineLatest(first, second, third, fourth), combineLatest(fifth, sixth, seventh))
      .map { ($0.0.0, $0.0.1, $0.0.2, $0.0.3, $0.1.0, $0.1.1, $0.1.2) }
  }

  /// Sends the newest values of eight streams, as the function for any number of them does.
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth>(
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>,
    _ fourth: Observable<Fourth, Failure>,
    _ fifth: Observable<Fifth, Failure>,
    _ sixth: Observable<Sixth, Failure>,
    _ seventh: Observable<Seventh, Failure>,
    _ eighth: Observable<Eighth, Failure>
  ) -> Observable<(First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth), Failure> {
    combineLatest(combineLatest(first, second, third, fourth), combineLatest(fifth, sixth, seventh, eighth))
      .map { ($0.0.0, $0.0.1, $0.0.2, $0.0.3, $0.1.0, $0.1.1, $0.1.2, $0.1.3) }
  }
}
