/// The entries of a partition as an asynchronous sequence of batches; see ``EventLog/entries(of:after:)``.
///
/// ```swift
/// for try await batch in log.entries(of: 0, after: 0) {
///   for logged in batch.entries { print(logged.offset, logged.entry) }
/// }
/// ```
public struct LogEntries<Entry: Sendable>: AsyncSequence, Sendable {
  /// Entries that are next to each other.
  public typealias Element = LogBatch<Entry>
  /// Why the log cannot be read.
  public typealias Failure = LogError
  /// Returns the next batch as soon as there is one, and `nil` when the log was closed or the task was cancelled.
  public typealias Next = @Sendable () async throws(LogError) -> LogBatch<Entry>?

  private let start: @Sendable () -> Next

  /// Makes a sequence.
  ///
  /// - Parameter start: begins to read. It is called for each iterator, and what it returns is called by one task at a
  ///   time.
  public init(_ start: @escaping @Sendable () -> Next) {
    self.start = start
  }

  /// Reads the batches of one sequence.
  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    fileprivate let read: Next

    /// The next batch as soon as there is one; `nil` when the log was closed or the task was cancelled.
    public mutating func next() async throws(LogError) -> LogBatch<Entry>? {
      try await read()
    }

    /// The next batch as soon as there is one; `nil` when the log was closed or the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(LogError) -> LogBatch<Entry>? {
      try await read()
    }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(read: start()) }
}
