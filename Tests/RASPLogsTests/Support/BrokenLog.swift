import RASPJournal
import RASPLogs
import Streams

/// A log that does something wrong: a test replaces one of its members.
struct BrokenLog<Entry: Sendable>: EventLog {
  typealias Base = any EventLog<Entry>

  let base: Base
  var appending: @Sendable (Base, [Entry], Int) async throws(LogError) -> Int = {
    (base, entries, partition) async throws(LogError) in try await base.append(entries, to: partition)
  }
  /// Takes the place of the identity that is looked for.
  var looking: @Sendable (EntryIdentity) -> EntryIdentity = { $0 }
  /// Without it, the log below is read as it is asked for.
  var reading: (@Sendable (Base, Int, Int) -> LogEntries<Entry>)?
  var recorded: @Sendable (Base, Int) async throws(LogError) -> LogRecord = {
    (base, partition) async throws(LogError) in try await base.committed(partition)
  }
  /// Without it, the log below takes the record as it is.
  var committing: (@Sendable (Base, [UInt8], Int, Int, LogRevision) async throws(LogError) -> LogRevision)?
  var assigning: @Sendable (Base, String) -> Observable<Set<Int>, Never> = { $0.assignment(of: $1) }
  /// The offsets that were deleted.
  var deleted: @Sendable (Int) -> [ClosedRange<Int>] = { _ in [] }
  /// Which partition is used for that of the caller.
  var place: @Sendable (Int) -> Int = { $0 }

  init(_ base: Base, _ break: (inout BrokenLog) -> Void) {
    self.base = base
    `break`(&self)
  }

  var name: String { base.name }
  var partitions: Int { base.partitions }
  var poison: PoisonPolicy { base.poison }

  @discardableResult
  func append(_ entries: [Entry], to partition: Int) async throws(LogError) -> Int {
    try await appending(base, entries, place(partition))
  }

  func newest(in partition: Int) async throws(LogError) -> Int { try await base.newest(in: place(partition)) }

  func entries(of partition: Int, after offset: Int, identified identity: EntryIdentity) -> LogEntries<Entry> {
    reading?(base, place(partition), offset)
      ?? base.entries(of: place(partition), after: offset, identified: looking(identity))
  }

  func identity(of offset: Int, in partition: Int) async throws(LogError) -> EntryIdentity {
    looking(try await base.identity(of: offset, in: place(partition)))
  }

  func committed(_ partition: Int) async throws(LogError) -> LogRecord { try await recorded(base, place(partition)) }

  @discardableResult
  func commit(
    _ rows: [UInt8],
    at offset: Int,
    identified identity: EntryIdentity,
    to partition: Int,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision {
    if let committing { return try await committing(base, rows, offset, place(partition), revision) }
    return try await base.commit(rows, at: offset, identified: identity, to: place(partition), replacing: revision)
  }

  func assignment(of member: String) -> Observable<Set<Int>, Never> { assigning(base, member) }

  func deleted(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>] {
    deleted(place(partition)).filter { $0.overlaps(offsets) }.map { $0.clamped(to: offsets) }
  }

  func close() async throws(LogError) { try await base.close() }
}

extension LogEntries {
  /// The same entries, each batch changed.
  func changed(_ change: @escaping @Sendable (LogBatch<Entry>) throws(LogError) -> LogBatch<Entry>?) -> LogEntries {
    LogEntries {
      let batches = Lock(makeAsyncIterator())
      return { () async throws(LogError) -> LogBatch<Entry>? in
        var reader = batches.withLock { $0 }
        guard let batch = try await reader.next() else { return nil }
        return try change(batch)
      }
    }
  }
}
