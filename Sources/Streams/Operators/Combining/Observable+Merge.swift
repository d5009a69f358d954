extension Observable {
  /// Merges several streams into one, which sends their values as they arrive.
  ///
  ///     first   a-c---|
  ///     second  -b-d|
  ///     result  abcd--|   merge([first, second])
  ///
  /// The merge is one step of delivery, however many inputs it has, and however many of them are merges themselves.
  ///
  /// - Ordering: the order of each input is kept. Inputs are subscribed in the order given, so values that are ready at
  ///   once come out in that order. Between inputs, the order in which values reach the merge counts: what still waits
  ///   in the line of one subject is overtaken by what comes from another one, see <doc:Contract>, rule 4. Send what
  ///   must keep its order through one subject.
  /// - Completion: finishes when the last input has finished; without inputs, at once.
  /// - Errors: the first failure of an input is the failure of the result. It is sent after everything that had reached
  ///   the merge before it, and all other inputs are cancelled at once. What then waits in the line of a subject among
  ///   them is lost, and counted in its ``Subject/droppedCount``.
  /// - Concurrency: inputs may send from any threads. The merge delivers one value at a time, and a sender may return
  ///   before its value is delivered, see <doc:Contract>, rule 4.
  /// - Complexity: O(1) per value; subscribing and cancelling are O(inputs). Constant stack, also where the last input
  ///   leads to the next merge by recursion.
  @inlinable
  public static func merge(_ inputs: [any ObservableConvertible<Element, Failure>]) -> Observable {
    guard !inputs.isEmpty else { return Observable(attach: { $0.end(.finished) }) }
    let streams = inputs.map { $0.observable }
    return Observable(attach: { JoinShell.merge(streams, into: $0) })
  }

  /// Merges several streams into one, as ``merge(_:)-([ObservableConvertible<Element,Failure>])`` does.
  ///
  ///     first   a--c|
  ///     second  -b^
  ///     result  ab^       merge(first, second)
  ///
  /// - Complexity: as ``merge(_:)-([ObservableConvertible<Element,Failure>])``.
  @inlinable
  public static func merge(_ inputs: any ObservableConvertible<Element, Failure>...) -> Observable {
    merge(inputs)
  }
}

extension ObservableConvertible {
  /// Merges this stream with others, as ``Observable/merge(_:)-([ObservableConvertible<Element,Failure>])`` does.
  ///
  ///     source  a---c|
  ///     other   ab-^
  ///     result  [aa]b-^   source.merge(with: other)
  ///
  /// - Complexity: as ``Observable/merge(_:)-([ObservableConvertible<Element,Failure>])``.
  @inlinable
  public func merge(
    with other: any ObservableConvertible<Element, Failure>,
    _ others: any ObservableConvertible<Element, Failure>...
  ) -> Observable<Element, Failure> {
    Observable.merge([observable, other] + others)
  }

  /// Merges all the streams that this one sends.
  ///
  ///     a       1-1-1|
  ///     b       2-2-2|
  ///     source  ab|
  ///     result  121212|   source.merge(), whose values are the streams a and b
  ///
  /// - Ordering: the order of each inner stream is kept.
  /// - Completion: when the outer stream finishes, the inner ones run on; the result finishes with the last of them.
  /// - Errors: the first failure, of the outer or of an inner stream, is the failure of the result. All others are
  ///   cancelled, and streams that arrive later are never subscribed to.
  /// - Complexity: O(1) per value and per new stream; O(log n) amortised for a stream that ends, n being the number of
  ///   streams that are followed. Cancelling is O(n).
  @inlinable
  public func merge<Inner: Sendable>() -> Observable<Inner, Failure>
  where Element == Observable<Inner, Failure> {
    let streams = observable
    return Observable<Inner, Failure>(attach: { JoinShell(.merge, into: $0).follow(streams) })
  }

  /// Follows the newest of the streams that this one sends, and cancels the one before it.
  ///
  ///     a       1-1-1|
  ///     b       2-2-2|
  ///     source  a--b-|
  ///     result  1-12-2-2|   source.switchToLatest(), whose values are the streams a and b
  ///
  /// - Ordering: with sources that send at once, each inner stream is sent in full before the next one replaces it.
  ///   Values of a stream that has been replaced are dropped, also those that wait.
  /// - Completion: finishes when both the outer and the newest inner stream have finished.
  /// - Errors: the first failure, of the outer or of the newest inner stream, is the failure of the result. The other
  ///   stream is cancelled, and streams that arrive later are never subscribed to.
  /// - Concurrency: outer and inner streams may send from different threads. The result delivers one value at a time,
  ///   and a sender may return before its value is delivered, see <doc:Contract>, rule 4.
  /// - Complexity: O(1) per value and per new stream. Cancelling is O(1), beside the cost of cancelling the two
  ///   streams.
  @inlinable
  public func switchToLatest<Inner: Sendable>() -> Observable<Inner, Failure>
  where Element == Observable<Inner, Failure> {
    let streams = observable
    return Observable<Inner, Failure>(attach: { JoinShell(.latest, into: $0).follow(streams) })
  }
}
