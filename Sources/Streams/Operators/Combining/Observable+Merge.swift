extension Observable {
  /// One stream of what all inputs send, as it arrives.
  ///
  ///     first   a-c---|
  ///     second  -b-d|
  ///     result  abcd--|   merge([first, second])
  ///
  /// The merge is one node, however many inputs it has.
  ///
  /// - Ordering: the order of each input is kept. Inputs are subscribed in the order given, so values that are ready at
  ///   once come out in that order.
  /// - Completion: finishes when the last input has; without inputs, at once. The first failure is sent once, behind
  ///   whatever had been sent before it, and lets go of all other inputs at that instant.
  /// - Concurrency: inputs may send from any threads; the merge delivers one value at a time.
  /// - Complexity: O(1) per value.
  @inlinable
  public static func merge(_ inputs: [Observable]) -> Observable {
    guard !inputs.isEmpty else { return Observable(attach: { $0.end(.finished) }) }
    return Observable(attach: { JoinShell(.merge, into: $0).follow(inputs) })
  }

  /// One stream of what all inputs send, as it arrives: see ``merge(_:)-([Observable])``.
  ///
  ///     first   a--c|
  ///     second  -b^
  ///     result  ab^       merge(first, second)
  @inlinable
  public static func merge(_ inputs: Observable...) -> Observable {
    merge(inputs)
  }

  /// One stream of what this and the other streams send, as it arrives.
  ///
  ///     source  a---c|
  ///     other   ab-^
  ///     result  [aa]b-^   source.merge(with: other)
  @inlinable
  public func merge(with other: Observable, _ others: Observable...) -> Observable {
    Observable.merge([self, other] + others)
  }

  /// One stream of what all the streams send that this one sends.
  ///
  ///     a       1-1-1|
  ///     b       2-2-2|
  ///     source  ab|
  ///     result  121212|   source.merge(), whose values are the streams a and b
  ///
  /// - Completion: when the outer stream finishes, the inner ones run on; the result finishes with the last of them.
  ///   The first failure of any of them is the failure of the result; the others are let go of, and streams that
  ///   arrive later are never subscribed to.
  @inlinable
  public func merge<Inner: Sendable>() -> Observable<Inner, Failure>
  where Element == Observable<Inner, Failure> {
    let streams = self
    return Observable<Inner, Failure>(attach: { JoinShell(.merge, into: $0).follow(streams) })
  }
}
