import Aggregate
import RASPHistory
public import RASPJournal
public import Streams

/// A log in memory, for tests and examples: several owners of one process share it as they would share one on a disk or
/// on other machines.
///
/// ```swift
/// let log = MemoryLog<Reading>(partitions: 4)
/// let first = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
/// let second = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
/// ```
///
/// Its entries are gone with it, and with all logs that ``reopened()`` has made of it.
///
/// - Complexity: appending an entry is O(1), and so is reading one.
public final class MemoryLog<Entry: Sendable>: EventLog {
  /// The name of the log.
  public let name: String

  /// What becomes of an entry in the wrong partition; see ``EventLog/poison``.
  public let poison: PoisonPolicy

  private let partitionList: [Partition]
  private let ends: [JournalProgress]
  private let members: LocalMembers
  private let isClosed = Lock(false)

  /// How many entries a batch has at most.
  private static var mostAtOnce: Int { 1_024 }

  /// One partition.
  ///
  /// Safe to share: all of it is behind the lock.
  private final class Partition: Sendable {
    struct Contents: Sendable {
      var entries: [Logged<Entry>] = []
      /// The number of entries. To ask the array looks up its type.
      var count = 0
      var record = LogRecord.none
      /// Tells the entries from those of other logs, and of this one before it went back.
      var ages = [Age(first: 1)]

      func identity(of offset: Int) -> EntryIdentity {
        guard (1...max(1, count)).contains(offset), count > 0 else { return .unknown }
        return ages.last { $0.first <= offset }?.identity ?? .unknown
      }
    }

    /// Entries that were appended without going back in between.
    struct Age: Sendable {
      let first: Int
      let identity = EntryIdentity(.random(in: 1 ... .max), .random(in: .min ... .max))
    }

    let contents = Lock(Contents())
  }

  /// Makes an empty log.
  ///
  /// - Parameters:
  ///   - partitions: how many; less than one counts as one.
  ///   - name: the name of the log.
  ///   - poison: what becomes of an entry in the wrong partition.
  public convenience init(partitions: Int = 1, name: String = "memory", onPoison poison: PoisonPolicy = .stop) {
    self.init(name: name, poison, (0..<max(1, partitions)).map { _ in Partition() })
  }

  private init(name: String, _ poison: PoisonPolicy, _ partitions: [Partition]) {
    self.name = name
    self.poison = poison
    partitionList = partitions
    ends = partitions.map { partition in JournalProgress(at: partition.contents.withLock { $0.count }) }
    members = LocalMembers(partitions: partitions.count)
  }

  /// Makes a log that goes on with the entries and records of this one, as after a new start of the process. Close this
  /// one before.
  public func reopened() -> MemoryLog { MemoryLog(name: name, poison, partitionList) }

  /// Loses the newest entries of a partition, as a log does when an older copy is put in its place.
  ///
  /// - Parameter offset: the newest entry that is left.
  package func goBack(_ partition: Int, to offset: Int) {
    partitionList[partition].contents.withLock { contents in
      guard offset < contents.count else { return }
      contents.entries.removeLast(contents.count - offset)
      contents.count = offset
      contents.ages.removeAll { $0.first > offset + 1 }
      contents.ages.append(Partition.Age(first: offset + 1))
    }
    ends[partition].goBack(to: offset)
  }

  /// The number of partitions.
  public var partitions: Int { partitionList.count }

  /// Appends entries; see ``EventLog/append(_:to:)``.
  @discardableResult
  public func append(_ entries: [Entry], to partition: Int) async throws(LogError) -> Int {
    let place = try open(partition)
    let time = Duration.nanoseconds(Int64(clamping: WallClock.now))
    let newest = place.contents.withLock { contents in
      for entry in entries {
        contents.count += 1
        contents.entries.append(Logged(offset: contents.count, time: time, entry: entry))
      }
      return contents.count
    }
    ends[partition].reach(newest)
    return newest
  }

  /// The offset of the newest entry; 0 if there is none.
  public func newest(in partition: Int) async throws(LogError) -> Int {
    try open(partition).contents.withLock { $0.count }
  }

  /// The entries behind an offset, and those that come; see ``EventLog/entries(of:after:identified:)``.
  public func entries(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity
  ) -> LogEntries<Entry> {
    LogEntries { [self] in
      let position = Lock((offset: max(0, offset), identity: identity))
      return { () async throws(LogError) -> LogBatch<Entry>? in
        let last = position.withLock { $0 }
        let batch = try await self.batch(of: partition, after: last.offset, identified: last.identity)
        if let batch { position.withLock { $0 = (batch.offsets.upperBound, batch.identity) } }
        return batch
      }
    }
  }

  /// The identity of an entry.
  public func identity(of offset: Int, in partition: Int) async throws(LogError) -> EntryIdentity {
    try open(partition).contents.withLock { $0.identity(of: offset) }
  }

  private func batch(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity
  ) async throws(LogError) -> LogBatch<Entry>? {
    if isClosed.withLock({ $0 }) { return nil }
    let place = try open(partition)
    while !Task.isCancelled, !isClosed.withLock({ $0 }) {
      // A copy of its own: the next append would have to copy an array of which a slice is held.
      let (newest, isRight, batch) = place.contents.withLock { contents -> (Int, Bool, LogBatch<Entry>?) in
        assert(contents.count == contents.entries.count, "another number of entries than there are")
        let isRight = contents.count >= offset && contents.identity(of: offset).fits(identity)
        let end = min(contents.count, offset + Self.mostAtOnce)
        guard isRight, offset < end else { return (contents.count, isRight, nil) }
        let entries = Array(contents.entries[offset..<end])
        return (
          end, isRight, LogBatch(offsets: offset + 1...end, entries: entries, identity: contents.identity(of: end))
        )
      }
      guard isRight else { throw .wentBack(log: name, partition: partition, newest: newest, wanted: offset) }
      if let batch { return batch }
      await ends[partition].wait(for: .written(offset + 1))
    }
    return nil
  }

  /// The record of a partition.
  public func committed(_ partition: Int) async throws(LogError) -> LogRecord {
    try open(partition).contents.withLock { $0.record }
  }

  /// Replaces the record of a partition; see ``EventLog/commit(_:at:identified:to:replacing:)``.
  @discardableResult
  public func commit(
    _ rows: [UInt8],
    at offset: Int,
    identified identity: EntryIdentity,
    to partition: Int,
    replacing revision: LogRevision
  ) async throws(LogError) -> LogRevision {
    let name = name
    return try open(partition).contents.withLock { contents -> Result<LogRevision, LogError> in
      let record = contents.record
      guard record.revision == revision else { return .failure(.deposed(log: name, partition: partition)) }
      // A log that went back has less than its record. Its next owner finds that out when it has the record.
      let valid = record.offset...max(record.offset, contents.count)
      guard valid.contains(offset) else {
        return .failure(.invalidOffset(log: name, partition: partition, offset: offset, valid: valid))
      }
      let next = LogRevision(revision.number + 1)
      contents.record = LogRecord(rows: rows, offset: offset, identity: identity, revision: next)
      return .success(next)
    }.get()
  }

  /// The partitions that a member should own; see ``EventLog/assignment(of:)``.
  public func assignment(of member: String) -> Observable<Set<Int>, Never> { members.assignment(of: member) }

  /// The owners of all partitions; see ``EventLog/owners(joining:)``.
  public func owners(joining member: LogOwner?) -> Observable<LogOwners, Never> { members.owners(joining: member) }

  /// Ends the log.
  public func close() async throws(LogError) {
    isClosed.withLock { $0 = true }
    for end in ends { end.end(nil) }
    members.close()
  }

  private func open(_ partition: Int) throws(LogError) -> Partition {
    if isClosed.withLock({ $0 }) { throw .closed(log: name) }
    guard partition >= 0, partition < ends.count else {
      throw .noPartition(log: name, partition: partition, partitions: partitions)
    }
    return partitionList[partition]
  }
}
