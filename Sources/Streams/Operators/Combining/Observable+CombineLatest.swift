extension Observable where Element == Never {
  /// Sends the newest values of several streams, whenever one of them sends.
  ///
  ///     first   a--b---|
  ///     second  -1---2---|
  ///     result  -A-B-C---|   combineLatest(first, second), where A is a and 1, B is b and 1, C is b and 2
  ///
  /// It takes any number of streams, with values of any types, and sends tuples. Nothing is sent before each stream has
  /// sent something. Where more than eight streams can fail, keep the result in a constant before an operator with a
  /// closure: the compiler does not find both types in one expression.
  ///
  /// - Ordering: inputs are subscribed in the order given. A value of an input is sent with the newest values of the
  ///   others. Inputs that send at the same instant give a value each. What still waits in the line of one subject is
  ///   overtaken by what comes from another one, as in a merge.
  /// - Completion: finishes when all inputs have finished. An input that finishes without a value finishes the result
  ///   at once, because nothing could be sent any more; without inputs, the result finishes at once, too.
  /// - Errors: the first failure of an input is the failure of the result, and all other inputs are cancelled. What
  ///   then waits in the line of a subject among them is lost, and counted in its ``Subject/droppedCount``.
  /// - Concurrency: inputs may send from any threads. A sender may return before its value is delivered, see
  ///   <doc:Contract>, rule 4.
  /// - Complexity: O(inputs) per value. Of more than eight streams a value costs some thousand instructions for each
  ///   stream, because the compiler does not specialise a loop over streams of any types; up to eight cost little more
  ///   than two.
  @_disfavoredOverload
  public static func combineLatest<each Value: Sendable>(
    _ streams: repeat any ObservableConvertible<each Value, Failure>
  ) -> Observable<(repeat each Value), Failure> {
    CombinedStreams<Failure, repeat each Value>(repeat (each streams).observable).combined
  }

  /// Sends the newest values of two streams, as the function for any number of them does. With it the compiler knows
  /// the type of the tuple before it looks at the closure of the operator that follows.
  ///
  ///     first   a-b|
  ///     second  -1--|
  ///     result  -AB-|   combineLatest(first, second), where A is a and 1, B is b and 1
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<First: Sendable, Second: Sendable>(
    _ first: any ObservableConvertible<First, Failure>,
    _ second: any ObservableConvertible<Second, Failure>
  ) -> Observable<(First, Second), Failure> {
    Observable<(First, Second), Failure>.combined(Row2<First, Second>.self) { stage in
      stage.attach(first.observable, as: 0) { .first($0) }
      stage.attach(second.observable, as: 1) { .second($0) }
    }
  }

  /// Sends the newest values of three streams, as the function for any number of them does.
  ///
  ///     first   a-b|
  ///     second  -1--|
  ///     third   x---|
  ///     result  -AB-|   combineLatest(first, second, third), where A is a, 1 and x, B is b, 1 and x
  ///
  /// - Complexity: O(1) per value.
  @inlinable
  public static func combineLatest<First: Sendable, Second: Sendable, Third: Sendable>(
    _ first: any ObservableConvertible<First, Failure>,
    _ second: any ObservableConvertible<Second, Failure>,
    _ third: any ObservableConvertible<Third, Failure>
  ) -> Observable<(First, Second, Third), Failure> {
    typealias Row = CombinedPair<Row2<First, Second>, CombinedValue<Third>>
    return Observable<Row.All, Failure>.combined(Row.self) { stage in
      stage.attach(first.observable, as: 0) { .first(.first($0)) }
      stage.attach(second.observable, as: 1) { .first(.second($0)) }
      stage.attach(third.observable, as: 2) { .second($0) }
    }
    .map { ($0.0.0, $0.0.1, $0.1) }
  }
}

extension Observable {
  /// Makes the newest values of some inputs, in a row.
  @inlinable
  static func combined<Row: CombinedRow>(
    _ row: Row.Type,
    start: @escaping @Sendable (Stage<CombineLatestMachine<Row, Failure>>) -> Void
  ) -> Observable where Row.All == Element {
    stage(inputs: Row.inputCount, { _ in CombineLatestMachine() }, start: start)
  }
}
