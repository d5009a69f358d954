public import RASPJournal
public import Streams

/// A log in a folder, for one process: nothing has to be installed, and an entry is on the medium when
/// ``append(_:to:)`` returns.
///
/// ```swift
/// let log = try FileLog<Reading>(at: "readings")
/// ```
///
/// Each partition is a folder in the format of a ``/RASPJournal/Journal``, and is recovered as one: what was being
/// written at a crash is cut off, and damage is refused. The folder has a lock, which keeps other processes out.
/// Several owners in this process may share the log.
///
/// Each partition has a thread that writes; with more than 64 partitions, several have one. What is appended while it
/// writes is written and synced at once after that, so many callers at a time are as fast as large arrays. The commit
/// of one partition does not hold the appends of others that have another thread.
///
/// ### Lifetime
///
/// ``close()`` ends the log. Without it, the log ends when it has been released; then the folder may be locked for a
/// moment longer.
///
/// - Concurrency: every member may be called from any task. Reading blocks the thread of the task while a batch is
///   read.
/// - Errors: an error of a file is the end of its partition. Open the log again to go on. Entries that were being
///   written then are there or are not: their appends are ``LogError/unacknowledged(log:partition:)``.
public final class FileLog<Entry: Sendable>: EventLog {
  private let folder: FileLogFolder
  private let coding: Coding<Entry>
  private let ends: [JournalProgress]
  let threads: FileLogThreads
  /// What becomes of an entry that cannot be used; see ``EventLog/poison``.
  public let poison: PoisonPolicy
  private let members: LocalMembers

  /// Opens a folder, or makes it.
  ///
  /// - Parameters:
  ///   - path: the folder. The one that it is in must be there.
  ///   - partitions: how many there are to be: `nil` for those that are there, or one in a new log. More partitions
  ///     have smaller records, and each is written and synced by itself.
  ///   - coding: how entries are written and read.
  ///   - policy: when the system has to bring to the medium what was written. Only with the standard is an entry there
  ///     when it has been appended.
  ///   - retention: which entries are kept. Those behind the record are kept in any case.
  ///   - poison: what becomes of an entry that cannot be used.
  ///   - patience: how long another process that has the folder open is waited for, such as one that was killed and is
  ///     still ending.
  /// - Concurrency: it blocks the thread until all entries behind the records have been checked.
  /// - Errors: ``LogError/files(log:reason:)`` and ``LogError/partitionCount(log:found:wanted:)``. A folder that is
  ///   refused is as it was.
  /// - Complexity: O(bytes) behind the records.
  public convenience init(
    at path: String,
    partitions: Int? = nil,
    coding: Coding<Entry>,
    syncing policy: SyncPolicy = .eachBatch,
    keeping retention: JournalRetention = .everything,
    onPoison poison: PoisonPolicy = .stop,
    waiting patience: Duration = .zero
  ) throws(LogError) {
    let setup = JournalSetup(syncing: policy, keeping: retention, onPoison: poison, waiting: patience)
    try self.init(at: path, partitions: partitions, coding: coding, setup, on: POSIXFileSystem())
  }

  init(
    at path: String,
    partitions: Int?,
    coding: Coding<Entry>,
    _ setup: JournalSetup,
    on system: any FileSystem
  ) throws(LogError) {
    if let problem = setup.problem { throw .refused(log: path, partition: nil, reason: problem) }
    let root: JournalFolder
    let lock: Int32
    do throws(JournalError) {
      root = try JournalFolder(path: path, system: system).made()
      lock = try root.open(waiting: setup.patience)
    } catch {
      throw .files(log: path, reason: error)
    }
    var opened: [FileLogPartition] = []
    do throws(LogError) {
      folder = try FileLogFolder(root, partitions: partitions)
      for index in 0..<folder.partitions {
        opened.append(try FileLogPartition(index, of: folder, coding: coding, setup))
      }
    } catch {
      try? system.close(lock)
      throw error
    }
    self.coding = coding
    poison = setup.poison
    ends = opened.map(\.progress)
    members = LocalMembers(partitions: opened.count)
    threads = FileLogThreads(opened, of: folder.name) { try? system.close(lock) }
    try threads.start()
  }

  deinit {
    // The threads end with their owner.
    members.close()
  }

  /// The name of the folder.
  public var name: String { folder.name }

  /// The number of partitions.
  public var partitions: Int { folder.partitions }

  /// Appends entries; see ``EventLog/append(_:to:)``.
  @discardableResult
  public func append(_ entries: [Entry], to partition: Int) async throws(LogError) -> Int {
    try check(partition)
    var encoder = ValueEncoder(coding)
    var bytes: [EntryBytes] = []
    bytes.reserveCapacity(entries.count)
    do throws(CodingError) {
      for entry in entries {
        let kind = try encoder.encode(entry)
        bytes.append(EntryBytes(kind: kind, payload: encoder.payload.bytes))
      }
    } catch {
      throw .coding(log: name, partition: partition, reason: error)
    }
    return try await threads[partition].perform { [bytes] settle in .append(bytes, to: partition, settle) }
  }

  /// The offset of the newest entry; 0 if there is none.
  public func newest(in partition: Int) async throws(LogError) -> Int {
    try check(partition)
    let progress = ends[partition]
    if let failure = progress.failure { throw .files(log: name, reason: failure) }
    if progress.hasEnded { throw .closed(log: name) }
    return progress.written
  }

  /// The entries behind an offset, and those that come; see ``EventLog/entries(of:after:identified:)``.
  public func entries(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity
  ) -> LogEntries<Entry> {
    folder.entries(
      of: partition,
      after: offset,
      identified: identity,
      coding: coding,
      ends: ends,
      onPoison: poison
    )
  }

  /// The identity of an entry: the checksum of the batch with which it was written.
  ///
  /// - Complexity: O(bytes) of the file before the entry.
  public func identity(of offset: Int, in partition: Int) async throws(LogError) -> EntryIdentity {
    guard (1...max(1, try await newest(in: partition))).contains(offset) else { return .unknown }
    return try folder.identity(of: offset, in: partition)
  }

  /// The record of a partition.
  public func committed(_ partition: Int) async throws(LogError) -> LogRecord {
    try check(partition)
    return try await threads[partition].perform { .record(of: partition, $0) }
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
    try check(partition)
    return try await threads[partition].perform {
      .commit(rows, at: offset, identified: identity, to: partition, replacing: revision, $0)
    }
  }

  /// The partitions that a member should own; see ``EventLog/assignment(of:)``.
  public func assignment(of member: String) -> Observable<Set<Int>, Never> { members.assignment(of: member) }

  /// The owners of all partitions; see ``EventLog/owners(joining:)``.
  public func owners(joining member: LogOwner?) -> Observable<LogOwners, Never> { members.owners(joining: member) }

  /// Ends the log.
  public func close() async throws(LogError) {
    members.close()
    try await threads.close()
  }

  private func check(_ partition: Int) throws(LogError) {
    guard ends.indices.contains(partition) else {
      throw .noPartition(log: name, partition: partition, partitions: partitions)
    }
  }
}

extension FileLog where Entry: Codable {
  /// Opens a folder of JSON; see ``init(at:partitions:coding:syncing:keeping:onPoison:waiting:)``.
  public convenience init(
    at path: String,
    partitions: Int? = nil,
    syncing policy: SyncPolicy = .eachBatch,
    keeping retention: JournalRetention = .everything,
    onPoison poison: PoisonPolicy = .stop,
    waiting patience: Duration = .zero
  ) throws(LogError) {
    try self.init(
      at: path,
      partitions: partitions,
      coding: .codable,
      syncing: policy,
      keeping: retention,
      onPoison: poison,
      waiting: patience
    )
  }
}
