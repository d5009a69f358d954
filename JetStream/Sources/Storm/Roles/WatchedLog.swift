import NIOConcurrencyHelpers
import RASPJournal
import RASPLogs
import Streams

/// The log of an owner, which writes into its report what becomes of its records.
///
/// Safe to share: what changes is behind the lock.
final class WatchedLog: EventLog {
  /// The newest record of a partition that the owner knows.
  struct Present: Sendable {
    var revision: UInt64
    var offset: Int
  }

  private let base: any EventLog<StormEvent>
  private let write: @Sendable (OwnerReport.Line) -> Void
  private let present = NIOLockedValueBox<[Int: Present]>([:])

  /// - Parameter write: gets each line, and may be called from several tasks at once.
  init(_ base: any EventLog<StormEvent>, write: @escaping @Sendable (OwnerReport.Line) -> Void) {
    self.base = base
    self.write = write
  }

  /// The newest record of a partition that the owner knows; `nil` if it knows none.
  func record(of partition: Int) -> Present? { present.withLockedValue { $0[partition] } }

  func committed(_ partition: Int) async throws(LogError) -> LogRecord {
    let record = try await base.committed(partition)
    present.withLockedValue {
      $0[partition] = Present(revision: record.revision.number, offset: record.offset)
    }
    write(.read(partition: partition, revision: record.revision.number))
    return record
  }

  func commit(
    _ rows: [UInt8],
    at offset: Int,
    identified identity: EntryIdentity,
    to partition: Int,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision {
    do throws(LogError) {
      let next = try await base.commit(rows, at: offset, identified: identity, to: partition, replacing: revision)
      present.withLockedValue { $0[partition] = Present(revision: next.number, offset: offset) }
      write(
        .commit(partition: partition, offset: offset, replacing: revision.number, revision: next.number)
      )
      return next
    } catch {
      if case .deposed = error { write(.deposed(partition: partition, replacing: revision.number)) }
      if case .unacknowledged = error { write(.unanswered(partition: partition, replacing: revision.number)) }
      throw error
    }
  }

  func entries(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity
  ) -> LogEntries<StormEvent> {
    LogEntries { [base, write] in
      let iterator = NIOLockedValueBox(
        base.entries(of: partition, after: offset, identified: identity).makeAsyncIterator()
      )
      return { () async throws(LogError) -> LogBatch<StormEvent>? in
        var reader = iterator.withLockedValue { $0 }
        guard let batch = try await reader.next() else { return nil }
        for entry in batch.skipped { write(.skipped(partition: partition, offset: entry.position.offset)) }
        return batch
      }
    }
  }

  // MARK: What is not watched

  var name: String { base.name }
  var partitions: Int { base.partitions }
  var poison: PoisonPolicy { base.poison }

  func append(_ entries: [StormEvent], to partition: Int) async throws(LogError) -> Int {
    try await base.append(entries, to: partition)
  }

  func newest(in partition: Int) async throws(LogError) -> Int { try await base.newest(in: partition) }

  func deleted(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>] {
    try await base.deleted(offsets, of: partition)
  }

  func identity(of offset: Int, in partition: Int) async throws(LogError) -> EntryIdentity {
    try await base.identity(of: offset, in: partition)
  }

  func assignment(of member: String) -> Observable<Set<Int>, Never> { base.assignment(of: member) }
  func close() async throws(LogError) { try await base.close() }
}
