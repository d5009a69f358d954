import NIOConcurrencyHelpers
import RASPJournal
import RASPLogs
import Streams

/// A log that has its owners make a mistake from time to time.
///
/// Safe to share: what changes is behind the lock.
final class MutantLog: EventLog {
  private let base: any EventLog<StormEvent>
  private let mutant: Mutant
  private let period: Int
  private let calls = NIOLockedValueBox(0)

  /// - Parameter period: a mistake is made in each such call.
  init(_ base: any EventLog<StormEvent>, _ mutant: Mutant, every period: Int = 5) {
    assert(period > 0, "A mistake is made in some calls.")
    self.base = base
    self.mutant = mutant
    self.period = period
  }

  var name: String { base.name }
  var partitions: Int { base.partitions }

  func append(_ entries: [StormEvent], to partition: Int) async throws(LogError) -> Int {
    do throws(LogError) {
      return try await appendOnce(entries, to: mutant == .ownPartitions ? partition / 2 : partition)
    } catch {
      guard case .unacknowledged = error else { throw error }
      switch mutant {
      case .refusedAppend: throw .refused(log: name, partition: partition, reason: "This is a mistake.")
      case .repeatedAppend: return try await base.append(entries, to: partition)
      default: throw error
      }
    }
  }

  private func appendOnce(_ entries: [StormEvent], to partition: Int) async throws(LogError) -> Int {
    guard isDue, entries.count > 1 else { return try await base.append(entries, to: partition) }
    switch mutant {
    case .lostAppend:
      return try await base.append(Array(entries.dropLast()), to: partition)
    case .doubledAppend:
      try await base.append(entries, to: partition)
      return try await base.append(entries, to: partition)
    case .swappedAppend:
      var swapped = entries
      swapped.swapAt(0, 1)
      return try await base.append(swapped, to: partition)
    default:
      return try await base.append(entries, to: partition)
    }
  }

  func newest(in partition: Int) async throws(LogError) -> Int { try await base.newest(in: partition) }

  var poison: PoisonPolicy { base.poison }

  func deleted(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>] {
    try await base.deleted(offsets, of: partition)
  }

  func identity(of offset: Int, in partition: Int) async throws(LogError) -> EntryIdentity {
    mutant == .uncheckedIdentity ? .unknown : try await base.identity(of: offset, in: partition)
  }

  func entries(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity
  ) -> LogEntries<StormEvent> {
    let identity = mutant == .uncheckedIdentity ? .unknown : identity
    return LogEntries { [self] in
      let iterator = NIOLockedValueBox(
        base.entries(of: partition, after: offset, identified: identity).makeAsyncIterator()
      )
      return { () async throws(LogError) -> LogBatch<StormEvent>? in
        var reader = iterator.withLockedValue { $0 }
        guard let batch = try await reader.next() else { return nil }
        guard self.isDue, let last = batch.entries.last else { return batch }
        switch self.mutant {
        case .falseAlarm:
          throw .wentBack(log: self.name, partition: partition, newest: batch.offsets.lowerBound, wanted: last.offset)
        case .doubleFold:
          return LogBatch(
            offsets: batch.offsets,
            entries: batch.entries + [last],
            skipped: batch.skipped,
            identity: batch.identity
          )
        case .skippedEntry:
          return LogBatch(
            offsets: batch.offsets,
            entries: Array(batch.entries.dropLast()),
            skipped: batch.skipped,
            identity: batch.identity
          )
        default: return batch
        }
      }
    }
  }

  func committed(_ partition: Int) async throws(LogError) -> LogRecord { try await base.committed(partition) }

  func commit(
    _ rows: [UInt8],
    at offset: Int,
    identified identity: EntryIdentity,
    to partition: Int,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision {
    do throws(LogError) {
      return try await base.commit(rows, at: offset, identified: identity, to: partition, replacing: revision)
    } catch {
      if mutant == .falseDeposal, case .unacknowledged = error { throw .deposed(log: name, partition: partition) }
      guard mutant == .ignoredFence, case .deposed = error else { throw error }
      let record = try await base.committed(partition)
      let isAhead = offset > record.offset
      return try await base.commit(
        rows,
        at: isAhead ? offset : record.offset,
        identified: isAhead ? identity : record.identity,
        to: partition,
        replacing: record.revision
      )
    }
  }

  func assignment(of member: String) -> Observable<Set<Int>, Never> { base.assignment(of: member) }

  func close() async throws(LogError) { try await base.close() }

  private var isDue: Bool {
    calls.withLockedValue { calls in
      calls += 1
      return calls % period == 0
    }
  }
}
