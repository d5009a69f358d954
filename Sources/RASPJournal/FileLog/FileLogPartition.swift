import Aggregate
import Streams

/// The folder of one partition, as the thread of the log uses it.
///
/// After an error only its end is read: what a sync that has failed has written is not known.
final class FileLogPartition {
  let progress: JournalProgress
  private let index: Int
  private let log: String
  private let folder: JournalFolder
  private let store: JournalStore<PartitionState>
  private var revision: LogRevision
  private var offset: Int
  private var failure: LogError?
  private let clock: JournalClock

  init(_ index: Int, of folder: FileLogFolder, coding: Coding<EntryBytes>, _ setup: JournalSetup) throws(LogError) {
    self.index = index
    log = folder.name
    self.folder = folder.partition(index)
    clock = setup.clock
    var plan = setup.plan
    // A snapshot is the record, which only its owner makes.
    plan.snapshotInterval = .max
    do throws(JournalError) {
      store = try JournalStore(
        self.folder,
        startingWith: PartitionState(),
        coding: RecordingCoding(states: .record(keepsRows: false), events: coding),
        policy: setup.policy,
        retention: setup.retention,
        plan: plan,
        clock: setup.clock
      )
    } catch {
      throw .files(log: folder.name, reason: error)
    }
    revision = LogRevision(store.state.revision)
    offset = store.recovery.snapshot
    progress = JournalProgress(at: store.newest)
  }

  /// Takes entries, which the next ``write()`` writes.
  ///
  /// - Returns: the offset of the last one.
  func append(_ entries: [EntryBytes]) throws(LogError) -> Int {
    try use { (store) throws(JournalError) in
      let time = Int64(clamping: clock.wallTime() / 1_000)
      for entry in entries { try store.append(entry, cause: .unknown, time: time) }
      return store.newest
    }
  }

  /// Writes what was taken, and has those go on who wait for entries.
  func write() throws(LogError) {
    try use { (store) throws(JournalError) in try store.write() }
    progress.reach(written: store.syncs.written, durable: store.syncs.durable)
  }

  /// Syncs if it is time for that.
  func syncIfDue() { try? use { (store) throws(JournalError) in try store.syncIfDue() } }

  /// The time until ``syncIfDue()`` has something to do; `nil` if it has nothing.
  var timeToSync: Duration? { failure == nil ? store.timeToSync : nil }

  func commit(_ rows: [UInt8], at offset: Int, replacing revision: LogRevision) throws(LogError) -> LogRevision {
    if let failure { throw failure }
    guard revision == self.revision else { throw .deposed(log: log, partition: index) }
    let valid = self.offset...store.newest
    guard valid.contains(offset) else {
      throw .invalidOffset(log: log, partition: index, offset: offset, valid: valid)
    }
    let next = LogRevision(revision.number + 1)
    try use { (store) throws(JournalError) in
      try store.keep(PartitionState(revision: next.number, rows: rows), after: offset)
    }
    self.revision = next
    self.offset = offset
    return next
  }

  func record() throws(LogError) -> LogRecord {
    if let failure { throw failure }
    if revision == .none { return .none }
    do throws(JournalError) {
      let snapshot = try SnapshotFile(after: offset, coding: .record(keepsRows: true), in: folder)
      return LogRecord(rows: snapshot.state.rows, offset: offset, revision: revision)
    } catch {
      // What was written is still known, so entries and records go on.
      throw .files(log: log, reason: error)
    }
  }

  func close() throws(LogError) {
    defer {
      store.abandon()
      if failure == nil { progress.end(nil) }
    }
    try use { (store) throws(JournalError) in try store.close() }
  }

  private func use<Result>(
    _ body: (JournalStore<PartitionState>) throws(JournalError) -> Result
  ) throws(LogError) -> Result {
    if let failure { throw failure }
    do throws(JournalError) {
      return try body(store)
    } catch {
      let failure = LogError.files(log: log, reason: error)
      self.failure = failure
      progress.end(error)
      throw failure
    }
  }
}
