public import RASPJournal

/// A log in files that is only read, by any process: nothing is locked, made, repaired or cut. So it also reads a
/// folder that may not be written, one on a full disk, and one whose ``FileLog`` another process has open.
///
/// ```swift
/// let log = try FileLogReader<Reading>(at: "readings")
/// for try await batch in log.entries(of: 0, after: 0) { print(batch.entries) }
/// ```
///
/// It has the entries and the records that were there when it was opened. What was being written then is left out, and
/// damage is refused, as a ``FileLog`` does it.
///
/// - Concurrency: every member may be called from any task. Reading blocks the thread of the task while a batch is
///   read.
public struct FileLogReader<Entry: Sendable>: Sendable {
  private let folder: FileLogFolder
  private let coding: Coding<Entry>
  private let poison: PoisonPolicy
  private let ends: [JournalProgress]
  /// The records, without their rows, and the offsets at which they are.
  private let records: [(value: StoredRecord, event: Int)?]

  /// Reads a folder.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - coding: how entries are read.
  ///   - poison: what becomes of an entry that cannot be read. Nothing is set aside.
  /// - Concurrency: it blocks the thread until all entries behind the records have been checked.
  /// - Errors: ``LogError/files(log:reason:)``, and ``LogError/refused(log:partition:reason:)`` if a partition's folder
  ///   is missing.
  /// - Complexity: O(bytes) behind the records.
  public init(at path: String, coding: Coding<Entry>, onPoison poison: PoisonPolicy = .stop) throws(LogError) {
    try self.init(JournalFolder(path: path, system: POSIXFileSystem()), coding: coding, onPoison: poison)
  }

  init(_ root: JournalFolder, coding: Coding<Entry>, onPoison poison: PoisonPolicy = .stop) throws(LogError) {
    let found: JournalFolder
    do throws(JournalError) { found = try root.found() } catch { throw .files(log: root.path, reason: error) }
    folder = try FileLogFolder(found, partitions: nil)
    var (ends, records): ([JournalProgress], [(StoredRecord, Int)?]) = ([], [])
    for index in 0..<folder.partitions {
      let (newest, record) = try folder.contents(of: index, coding, onPoison: poison)
      let progress = JournalProgress(at: newest)
      progress.end(nil)
      ends.append(progress)
      records.append(record)
    }
    (self.ends, self.records) = (ends, records)
    (self.coding, self.poison) = (coding, poison)
  }

  /// The name of the folder.
  public var name: String { folder.name }

  /// The number of partitions.
  public var partitions: Int { folder.partitions }

  /// The offset of the newest entry that was there; 0 if there was none.
  public func newest(in partition: Int) throws(LogError) -> Int {
    try check(partition)
    return ends[partition].written
  }

  /// The entries behind an offset, up to the newest one that was there when the folder was read.
  ///
  /// - Errors: as those of ``FileLog/entries(of:after:identified:)``.
  public func entries(of partition: Int, after offset: Int) -> LogEntries<Entry> {
    folder.entries(
      of: partition,
      after: offset,
      identified: .unknown,
      coding: coding,
      ends: ends,
      onPoison: poison,
      isFollowing: false
    )
  }

  /// The record that a partition had when the folder was read.
  ///
  /// - Errors: ``LogError/files(log:reason:)`` if it cannot be read, or was deleted since because there are two newer
  ///   ones.
  /// - Complexity: O(bytes) of the record.
  public func committed(_ partition: Int) throws(LogError) -> LogRecord {
    try check(partition)
    guard let (_, offset) = records[partition] else { return .none }
    return try folder.record(at: offset, of: partition)
  }

  private func check(_ partition: Int) throws(LogError) {
    guard ends.indices.contains(partition) else {
      throw .noPartition(log: name, partition: partition, partitions: partitions)
    }
  }
}

extension FileLogReader where Entry: Codable {
  /// Reads a folder of JSON; see ``init(at:coding:onPoison:)``.
  public init(at path: String, onPoison poison: PoisonPolicy = .stop) throws(LogError) {
    try self.init(at: path, coding: .codable, onPoison: poison)
  }
}

extension FileLogFolder {
  /// The newest entry of a partition, and its record without the rows.
  fileprivate func contents<Entry>(
    of index: Int,
    _ coding: Coding<Entry>,
    onPoison poison: PoisonPolicy
  ) throws(LogError) -> (newest: Int, record: (StoredRecord, Int)?) {
    do throws(JournalError) {
      let contents = try partition(index).contents(
        events: coding,
        snapshots: .record(keepsRows: false),
        onPoison: poison
      )
      return (contents.newest, contents.snapshot)
    } catch {
      throw .files(log: name, reason: error)
    }
  }
}
