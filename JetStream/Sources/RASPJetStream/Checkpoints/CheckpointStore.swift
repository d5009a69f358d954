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

  /// Checkpoints that were to replace the one with a revision, and of which there was no answer: one of them may be the
  /// present one, and then no other owner has the partition.
  private struct Unanswered: Sendable {
    var revision: LogRevision
    var identities: Set<UInt64> = []
  }

  private let log: LogConnection
  private let partition: Int
  private let parts: CheckpointParts
  private let known = NIOLockedValueBox<Known?>(nil)
  private let unanswered = NIOLockedValueBox<Unanswered?>(nil)

  init(_ log: LogConnection, _ partition: Int) {
    self.log = log
    self.partition = partition
    parts = CheckpointParts(log: log, partition: partition)
  }

  // MARK: Reading

  /// The entry up to which the newest record is folded that is known here; 0 if none is.
  var offset: Int { known.withLockedValue { $0?.offset ?? 0 } }

  func read() async throws(LogError) -> LogRecord {
    var before: Int?
    while true {
      guard let stored = try await parts.newest(of: log.names.checkpoint(partition)) else { return remember(.none) }
      let revision = LogRevision(UInt64(stored.sequence))
      // A checkpoint that was removed by hand: all entries are folded again.
      if stored.isRemoved { return remember(LogRecord(rows: [], offset: 0, revision: revision)) }
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
    let found = known.withLockedValue { $0 }
    if let found, found.revision == revision { return found }
    guard unanswered.withLockedValue({ $0?.revision }) == revision || (found?.revision.number ?? 0) < revision.number
    else { throw .deposed(log: log.name, partition: partition) }
    // An own one may be the present one, or a server has told of an older one. JetStream compares the revisions.
    return Known(revision: revision, offset: 0, hasParts: true)
  }

  private func check(_ offset: Int, since before: Int) async throws(LogError) {
    var newest = log.partitions[partition].newestSeen
    if offset > newest { newest = try await log.stream(of: partition).state.last }
    let valid = before...max(before, newest)
    guard valid.contains(offset) else {
      throw .invalidOffset(log: log.name, partition: partition, offset: offset, valid: valid)
    }
  }

  /// - Returns: the sequence of the checkpoint; `nil` if another owner has replaced it.
  private func replace(with format: CheckpointFormat, _ revision: LogRevision) async throws(LogError) -> Int? {
    let subject = log.names.checkpoint(partition)
    let own = unanswered.withLockedValue { $0?.revision == revision ? $0?.identities ?? [] : [] }
    var expected = Int(clamping: revision.number)
    var isOutdated = false
    do throws(LogError) {
      return try await log.storing(partition) { jetStream async throws(JetStreamError) in
        isOutdated = false
        while true {
          do throws(JetStreamError) {
            let headers: NATSHeaders = ["Nats-Expected-Last-Subject-Sequence": String(expected)]
            return try await jetStream.store(format.bytes, to: subject, headers: headers)
          } catch {
            guard error.code == JetStreamError.Code.wrongLastSequence else { throw error }
          }
          // It may be this checkpoint that was stored, or an earlier one of the same owner, and whose answer was lost.
          let stored = try await jetStream.newest(of: subject, in: self.log.names.bucket)
          let present = stored.flatMap { try? CheckpointFormat($0.payload) }
          if let stored, present?.identity == format.identity { return stored.sequence }
          guard let stored, stored.sequence > expected else {
            if self.log.replicas == 1 { return nil }
            isOutdated = true
            throw .outdated(reason: "a server has an older record of partition \(self.partition)")
          }
          guard let present, own.contains(present.identity), present.offset <= format.offset else { return nil }
          expected = stored.sequence
        }
      }
    } catch {
      known.withLockedValue { $0?.hasParts = true }
      unanswered.withLockedValue { unanswered in
        if unanswered?.revision != revision { unanswered = Unanswered(revision: revision) }
        unanswered?.identities.insert(format.identity)
      }
      switch error {
      // The owner goes on, and commits when there is space again.
      case .refused(let log, _, let reason): throw .unavailable(log: log, reason: reason)
      // The record stays older, so the bucket went back. The parts of this one stay: it may be stored all the same.
      case .unacknowledged where isOutdated && !log.isClosed && !Task.isCancelled:
        throw .deposed(log: log.name, partition: partition)
      default: throw error
      }
    }
  }
}
