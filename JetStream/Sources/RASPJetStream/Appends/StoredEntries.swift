import RASPLogs

/// What has become of entries that were stored together: where each is, or why it is not there.
struct StoredEntries: Sendable {
  /// A run of entries with one result.
  private struct Run: Sendable {
    var end: Int
    /// The offset of the last one.
    var last: Result<Int, LogError>
  }

  private var runs: [Run] = []
  let log: String
  let partition: Int

  init(log: String, partition: Int) {
    self.log = log
    self.partition = partition
  }

  /// Adds entries that follow each other in the log, or are not there.
  mutating func append(_ added: Int, last: Result<Int, LogError>) {
    assert(added > 0, "A run has entries.")
    runs.append(Run(end: count + added, last: last))
  }

  /// The number of entries.
  var count: Int { runs.last?.end ?? 0 }

  var newest: Int? { runs.compactMap { try? $0.last.get() }.max() }

  /// The lowest offset with which a run has ended.
  var earliestEnd: Int? { runs.compactMap { try? $0.last.get() }.min() }

  /// The same entries, of which none is where it should be.
  func failing(with error: LogError) -> StoredEntries {
    var failed = self
    for index in runs.indices { failed.runs[index].last = .failure(error) }
    return failed
  }

  /// The offset of the last one of some entries.
  ///
  /// - Errors: ``LogError/unacknowledged(log:partition:)`` if some of them are there, and others are not.
  func offset(ofLast count: Int, before end: Int) -> Result<Int, LogError> {
    assert(count <= end && end <= self.count, "The entries are among those that were stored.")
    var start = 0
    var results: [Result<Int, LogError>] = []
    for run in runs {
      // The part of the run that is asked for.
      if run.end > end - count, start < end {
        results.append(run.last.map { $0 - max(0, run.end - end) })
      }
      start = run.end
    }
    guard let last = results.last else { return .failure(.unacknowledged(log: log, partition: partition)) }
    let failures = results.compactMap { result in if case .failure(let error) = result { error } else { nil } }
    guard let failure = failures.first else { return last }
    return .failure(failures.count == results.count ? failure : .unacknowledged(log: log, partition: partition))
  }
}
