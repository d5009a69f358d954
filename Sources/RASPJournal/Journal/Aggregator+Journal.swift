public import Aggregate
public import Streams

extension Aggregator {
  /// Makes an aggregator that goes on from the state of a journal, and whose events the journal keeps.
  ///
  /// ```swift
  /// let journal = try Journal(at: folder, startingWith: GeoState())
  /// let geo = try Aggregator(continuing: journal, sources: compass, gps)
  /// ```
  ///
  /// An event that the state refuses is kept, too: it is refused again when the state is restored.
  ///
  /// - Parameters:
  ///   - journal: each journal has one aggregator.
  ///   - policy: what becomes of events that arrive while others are being folded.
  ///   - sources: the streams of events to fold. They are subscribed to when the state is restored and the journal
  ///     takes events.
  /// - Errors: ``JournalError/inUse(folder:)`` and ``JournalError/closed(folder:)``.
  @inlinable
  @inline(__always)
  public convenience init<each Failure: Error>(
    continuing journal: Journal<State>,
    buffering policy: BufferingPolicy = .unbounded,
    sources: repeat any ObservableConvertible<State.Event, each Failure>
  ) throws(JournalError) {
    let continuation = try journal.begin()
    self.init(continuing: continuation, buffering: policy, newcomers: AnySource.list(repeat each sources))
    journal.start(core)
  }
}
