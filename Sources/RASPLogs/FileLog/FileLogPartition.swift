import RASPJournal

/// The folder of one partition, as the thread of the log uses it: a chain of segments with its entries, and its record
/// as a snapshot.
///
/// After an error only its end is read: what a sync that has failed has written is not known.
final class FileLogPartition {
  let progress: JournalProgress
  private let index: Int
  private let folder: FileLogFolder
  private var chain: SegmentChain
  private var revision: LogRevision
  /// The last entry that is folded into the record.
  private var offset: Int
  private var failure: LogError?
  /// The bytes of the entry that is taken. The memory is used again for the next one.
  private var payload = ByteWriter()

  init<Entry>(
    _ index: Int,
    of folder: FileLogFolder,
    coding: Coding<Entry>,
    _ setup: JournalSetup
  ) throws(LogError) {
    self.index = index
    self.folder = folder
    var (revision, offset) = (LogRevision.none, 0)
    do throws(JournalError) {
      chain = try SegmentChain(
        folder.partition(index),
        events: coding,
        snapshots: .record(keepsRows: false),
        setup
      ) { record, event in
        (revision, offset) = (LogRevision(record.revision), event)
      }
    } catch {
      throw .files(log: folder.name, reason: error)
    }
    self.revision = revision
    self.offset = offset
    progress = JournalProgress(at: chain.newest)
    assert(offset <= chain.newest, "a record that is ahead of the entries")
  }

  /// Whether what comes next gets the error of a call before.
  var hasFailed: Bool { failure != nil }

  /// Takes entries, which the next ``write()`` writes.
  ///
  /// - Returns: the offset of the last one.
  func append(_ entries: [EntryBytes]) throws(LogError) -> Int {
    try use { () throws(JournalError) in
      let time = chain.wallTime
      for entry in entries {
        payload.removeAll()
        payload.append(contentsOf: entry.payload)
        try chain.append(payload, kind: entry.kind, cause: .unknown, time: time)
      }
      return chain.newest
    }
  }

  /// Writes what was taken, and has those go on who wait for entries.
  func write() throws(LogError) {
    try use { () throws(JournalError) in
      try chain.write()
      try chain.syncIfDue()
      try chain.endSegmentIfDue()
    }
    assert(chain.written == chain.newest, "entries that were taken are not written")
    progress.reach(chain.written)
  }

  /// Syncs if it is time for that.
  func syncIfDue() { try? use { () throws(JournalError) in try chain.syncIfDue() } }

  /// The time until ``syncIfDue()`` has something to do; `nil` if it has nothing.
  var timeToSync: Duration? { failure == nil ? chain.timeToSync : nil }

  func commit(
    _ rows: [UInt8],
    at offset: Int,
    identified identity: EntryIdentity,
    replacing revision: LogRevision
  ) throws(LogError) -> LogRevision {
    if let failure { throw failure }
    guard revision == self.revision else { throw .deposed(log: folder.name, partition: index) }
    let valid = self.offset...max(self.offset, chain.newest)
    guard valid.contains(offset) else {
      throw .invalidOffset(log: folder.name, partition: index, offset: offset, valid: valid)
    }
    let next = LogRevision(revision.number + 1)
    try use { () throws(JournalError) in
      // A snapshot is never ahead of the entries.
      try chain.sync()
      let record = StoredRecord(revision: next.number, identity: identity, rows: rows)
      try chain.writeSnapshot(of: record, after: offset, coding: .record(keepsRows: true), isReadBack: true)
      try chain.endSegmentIfLargerThanSnapshot()
      try chain.removeObsolete()
    }
    assert(next.number > self.revision.number && offset >= self.offset, "a record that goes back")
    self.revision = next
    self.offset = offset
    return next
  }

  func record() throws(LogError) -> LogRecord {
    if let failure { throw failure }
    // One that cannot be read is no failure: what was written is still known, so entries and records go on.
    return revision == .none ? .none : try folder.record(at: offset, of: index)
  }

  func close() throws(LogError) {
    defer {
      chain.abandon()
      if failure == nil { progress.end(nil) }
    }
    try use { () throws(JournalError) in try chain.finish() }
  }

  private func use<Result>(_ body: () throws(JournalError) -> Result) throws(LogError) -> Result {
    if let failure { throw failure }
    do throws(JournalError) {
      return try body()
    } catch {
      let failure = LogError.files(log: folder.name, reason: error)
      self.failure = failure
      progress.end(error)
      throw failure
    }
  }
}
