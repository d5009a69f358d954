extension Observable {
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
  /// - Complexity: O(1) per value.
  @inlinable
  public func switchToLatest<Inner: Sendable>() -> Observable<Inner, Failure>
  where Element == Observable<Inner, Failure> {
    let streams = self
    return Observable<Inner, Failure>(attach: { JoinShell(.latest, into: $0).follow(streams) })
  }
}
