extension Observable {
  /// Follows the newest of the streams that this one sends, and lets go of the one before it.
  ///
  ///     a       1-1-1|
  ///     b       2-2-2|
  ///     source  a--b-|
  ///     result  1-12-2-2|   source.switchToLatest(), whose values are the streams a and b
  ///
  /// - Ordering: with sources that send at once, each inner stream is sent in full before the next one replaces it.
  ///   Values of a stream that has been replaced are dropped, also those that wait in line.
  /// - Completion: finishes when both the outer and the newest inner stream have. A failure of either is the failure of
  ///   the result and lets go of the other; streams that arrive later are never subscribed to.
  /// - Concurrency: outer and inner streams may send from different threads.
  /// - Complexity: O(1) per value.
  @inlinable
  public func switchToLatest<Inner: Sendable>() -> Observable<Inner, Failure>
  where Element == Observable<Inner, Failure> {
    let streams = self
    return Observable<Inner, Failure>(attach: { JoinShell(.latest, into: $0).follow(streams) })
  }
}
