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
  ///   - file: the file in which it is made, for `UnheardReports`.
  ///   - line: the line in which it is made.
  /// - Errors: ``JournalError/inUse(folder:)`` and ``JournalError/closed(folder:)``.
  @inlinable
  @inline(__always)
  public convenience init<each Failure: Error>(
    continuing journal: Journal<State>,
    buffering policy: BufferingPolicy = .unbounded,
    sources: repeat Observable<State.Event, each Failure>,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws(JournalError) {
    let continuation = try journal.begin()
    self.init(continuing: continuation, buffering: policy, sources: repeat each sources, file: file, line: line)
    journal.start(endingBy: endOfContinuation, reportingBy: reportOfContinuation)
  }

  /// Makes an aggregator that goes on from the state of a journal, with an array of sources.
  ///
  /// - Parameters:
  ///   - journal: each journal has one aggregator.
  ///   - policy: what becomes of events that arrive while others are being folded.
  ///   - sources: the streams of events to fold.
  ///   - file: the file in which it is made, for `UnheardReports`.
  ///   - line: the line in which it is made.
  /// - Errors: ``JournalError/inUse(folder:)`` and ``JournalError/closed(folder:)``.
  @inlinable
  public convenience init<Failure: Error>(
    continuing journal: Journal<State>,
    buffering policy: BufferingPolicy = .unbounded,
    sources: [Observable<State.Event, Failure>],
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws(JournalError) {
    let continuation = try journal.begin()
    self.init(continuing: continuation, buffering: policy, sources: sources, file: file, line: line)
    journal.start(endingBy: endOfContinuation, reportingBy: reportOfContinuation)
  }
}
