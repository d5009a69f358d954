import NIOConcurrencyHelpers
import NIOCore
import RASPLogs
import RASPNATS

/// The checkpoint of one partition (its `LogRecord`), in a bucket: it is replaced by a message that names the sequence
/// of the one before, so that only one of several owners can write it.
///
/// Rows that are too large for a message are in parts, see ``CheckpointParts``.
///
/// Safe to share: what changes is behind the lock.
final class CheckpointStore: Sendable {
  /// What is known of the present checkpoint.
  private struct Known: Sendable {
    var revision: LogRevision
    var offset: Int
    /// The identity of the entry at the offset, and when its stream was made.
    var entry = EntryIdentity.unknown
    var creation: Int64 = 0
    /// Whether there may be parts of earlier checkpoints.
    var hasParts: Bool
  }

  private let log: LogConnection
  private let partition: Int
  private let parts: CheckpointParts
  private let known = NIOLockedValueBox<Known?>(nil)

  init(_ log: LogConnection, _ partition: Int) {
    self.log = log
    self.partition = partition
    parts = CheckpointParts(log: log, partition: partition)
  }

  // MARK: Reading

  func read() async throws(LogError) -> LogRecord {
    var before: Int?
    while true {
      guard let stored = try await parts.newest(of: log.names.checkpoint(partition)) else { return remember(.none) }
      let revision = LogRevision(UInt64(stored.sequence))
      // A checkpoint that was removed by hand: all entries are folded again.
      if stored.operation != nil { return remember(LogRecord(rows: [], offset: 0, revision: revision)) }
      let format: CheckpointFormat
      do throws(CheckpointFormat.Damage) {
        format = try CheckpointFormat(stored.payload)
      } catch {
        throw parts.damaged(error.reason)
      }
      if let rows = try await parts.rows(of: format) {
        let record = LogRecord(rows: rows, offset: format.offset, identity: format.entry, revision: revision)
        return remember(record, creation: format.creation)
      }
      // Another checkpoint may have replaced it meanwhile, and its parts were removed.
      if before == stored.sequence { throw parts.damaged("a part of its rows is missing") }
      before = stored.sequence
    }
  }

  private func remember(_ record: LogRecord, creation: Int64 = 0) -> LogRecord {
    known.withLockedValue { known in
      known = Known(revision: record.revision, offset: record.offset, hasParts: true)
      known?.entry = record.identity
      known?.creation = creation
    }
    return record
  }

  /// The identity of an entry that is not in its stream any more: that of the record, if it is the entry of the record.
  ///
  /// - Parameter created: when the stream was made.
  func identity(of offset: Int, created: Int64) async throws(LogError) -> EntryIdentity {
    _ = try await read()
    guard let known = known.withLockedValue({ $0 }), known.offset == offset, known.entry != .unknown else {
      return .unknown
    }
    return known.creation == created ? known.entry : .ofAnotherStream
  }

  // MARK: Writing

  func write(
    _ rows: [UInt8],
    at offset: Int,
    identified entry: EntryIdentity,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision {
    let before = try await present(revision)
    try await check(offset, since: before.offset)
    let count = try parts.count(of: rows.count)
    // A record that is written back is of the stream of which it was before.
    let isSame = offset == before.offset && entry == before.entry
    let creation = isSame ? before.creation : log.partitions[partition].creation
    let format = CheckpointFormat(
      identity: .random(in: .min ... .max),
      offset: offset,
      entry: entry,
      creation: creation,
      parts: count,
      count: rows.count,
      rows: count == 0 ? ByteBuffer(bytes: rows) : ByteBuffer()
    )
    assert(count == 0 || rows.count >= count, "Each part has rows.")
    let firstPart = try await parts.write(rows, of: format)
    guard let sequence = try await replace(with: format, revision) else {
      parts.remove(of: format)
      throw .deposed(log: log.name, partition: partition)
    }
    assert(UInt64(sequence) > revision.number, "A checkpoint stands behind the one that it replaces.")
    let next = LogRevision(UInt64(sequence))
    if before.hasParts || count > 0 { parts.removeAll(before: firstPart ?? sequence) }
    let present = Known(revision: next, offset: offset, entry: entry, creation: creation, hasParts: count > 0)
    known.withLockedValue { $0 = present }
    return next
  }

  /// What is known of the checkpoint that is to be replaced.
  private func present(_ revision: LogRevision) async throws(LogError) -> Known {
    if let known = known.withLockedValue({ $0 }), known.revision == revision { return known }
    _ = try await read()
    guard let known = known.withLockedValue({ $0 }), known.revision == revision else {
      throw .deposed(log: log.name, partition: partition)
    }
    return known
  }

  private func check(_ offset: Int, since before: Int) async throws(LogError) {
    var newest = log.partitions[partition].newestSeen
    if offset > newest { newest = try await log.stream(of: partition).state.last }
    let valid = before...max(before, newest)
    guard valid.contains(offset) else {
      throw .invalidOffset(log: log.name, partition: partition, offset: offset, valid: valid)
    }
  }

  /// - Returns: the sequence of the checkpoint; `nil` if another one has replaced it.
  private func replace(with format: CheckpointFormat, _ revision: LogRevision) async throws(LogError) -> Int? {
    let headers: NATSHeaders = ["Nats-Expected-Last-Subject-Sequence": String(revision.number)]
    let subject = log.names.checkpoint(partition)
    do throws(LogError) {
      return try await log.storing(partition) { jetStream, mayBeStored async throws(JetStreamError) in
        do throws(JetStreamError) {
          return try await jetStream.store(format.bytes, to: subject, headers: headers)
        } catch {
          guard let code = error.code, JetStreamError.Code.wrongLastSequence.contains(code) else { throw error }
          // It may be this checkpoint that was stored, and whose answer was lost.
          return mayBeStored ? try await self.parts.sequence(of: format, jetStream) : nil
        }
      }
    } catch {
      // The owner goes on, and commits when there is space again.
      if case .refused(let log, _, let reason) = error { throw .unavailable(log: log, reason: reason) }
      throw error
    }
  }
}
