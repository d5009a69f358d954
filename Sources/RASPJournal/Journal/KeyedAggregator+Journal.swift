public import Aggregate
public import RASPHistory
public import RASPKeyed
public import Streams

/// A journal of the rows of a `KeyedAggregator`. Its events are what has happened to each row, also that it was put in,
/// removed or evicted; see `RowStep`.
public typealias KeyedJournal<Key: Hashable & Sendable, Row: AggregateState> = Journal<RecordedRows<Key, Row>>

extension KeyedAggregator {
  /// Makes an aggregator that goes on with the rows of a journal, and whose events the journal keeps.
  ///
  /// ```swift
  /// let journal = try KeyedJournal<String, Quote>(at: folder, startingWith: RecordedRows())
  /// let quotes = try KeyedAggregator(continuing: journal, by: \Tick.symbol, initial: { _ in Quote() }, sources: feed)
  /// ```
  ///
  /// The rows come back in no particular order, which decides between rows that are equal in a ranking. With an
  /// eviction they come in the order of the descriptions of their keys, so that the rows that are evicted first are the
  /// same in every process.
  ///
  /// - Parameters:
  ///   - journal: each journal has one aggregator.
  ///   - key: tells the row to which an event belongs.
  ///   - initial: returns the state of a row before its first event.
  ///   - options: the bound of the line, and which rows are given up. What an eviction removes is removed in the
  ///     journal, too.
  ///   - sources: the streams of events to fold. They are subscribed to when the rows are restored and the journal
  ///     takes events.
  /// - Errors: ``JournalError/inUse(folder:)`` and ``JournalError/closed(folder:)``.
  /// - Complexity: O(rows and sources). The thread of the journal has the rows a second time: a snapshot is made of
  ///   those, so that the fold does not wait for it.
  @inlinable
  public convenience init<each Failure: Error>(
    continuing journal: KeyedJournal<Key, State>,
    by key: @escaping @Sendable (State.Event) -> Key,
    initial: @escaping @Sendable (Key) -> State,
    options: KeyedOptions = KeyedOptions(),
    sources: repeat any ObservableConvertible<State.Event, each Failure>
  ) throws(JournalError) {
    let continuation = try journal.begin()
    self.init(
      continuing: continuation,
      by: key,
      initial: initial,
      options: options,
      newcomers: AnySource.list(repeat each sources)
    )
    journal.start(core)
  }
}
