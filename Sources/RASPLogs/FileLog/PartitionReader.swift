import RASPJournal

/// Reads the entries of one partition from its files, also while they are written.
actor PartitionReader<Entry: Sendable> {
  private let log: String
  private let partition: Int
  private let progress: JournalProgress
  private let follower: EventFollower<Entry>
  private let folder: FileLogFolder
  /// That of the entry at which the reader begins; `unknown` when it was compared.
  private var identity: EntryIdentity

  init(
    _ partition: Int,
    of folder: FileLogFolder,
    after offset: Int,
    identified identity: EntryIdentity,
    coding: Coding<Entry>,
    progress: JournalProgress,
    onPoison poison: PoisonPolicy
  ) {
    log = folder.name
    self.partition = partition
    self.progress = progress
    self.folder = folder
    self.identity = offset > 0 ? identity : .unknown
    follower = EventFollower(
      after: offset,
      of: coding,
      in: folder.partition(partition),
      progress: progress,
      onPoison: poison
    )
  }

  func next() async throws(LogError) -> LogBatch<Entry>? {
    if Task.isCancelled { return nil }
    if progress.hasEnded {
      if let failure = progress.failure { throw .files(log: log, reason: failure) }
      return nil
    }
    let written = progress.written
    if follower.last > written {
      throw .wentBack(log: log, partition: partition, newest: written, wanted: follower.last)
    }
    if identity != .unknown {
      // No other process writes into the folder, so once is enough.
      guard try folder.identity(of: follower.last, in: partition).fits(identity) else {
        throw .wentBack(log: log, partition: partition, newest: written, wanted: follower.last)
      }
      identity = .unknown
    }
    do throws(JournalError) {
      guard let batch = try await follower.next(isolation: self) else { return nil }
      assert(batch.numbers.upperBound == follower.last, "a batch that does not end where the reader is")
      return LogBatch(
        offsets: batch.numbers,
        entries: batch.events.map { Logged(offset: $0.number, time: $0.time, entry: $0.event) },
        skipped: batch.unreadable.map { number, reason in
          SkippedEntry(
            position: LogPosition(log: log, partition: partition, offset: number),
            reason: .unreadable(log: log, partition: partition, offset: number, reason: reason)
          )
        },
        identity: EntryIdentity(follower.mark)
      )
    } catch {
      throw self.error(for: error)
    }
  }

  private func error(for error: JournalError) -> LogError {
    switch error {
    case .missing: .missing(log: log, partition: partition, offset: follower.last + 1)
    case .unreadable(_, _, let event, let reason):
      .unreadable(log: log, partition: partition, offset: event ?? follower.last + 1, reason: reason)
    // The writer has deleted the file while it was read, because it was not needed any more.
    case .system(_, _, SystemError.notThere): .missing(log: log, partition: partition, offset: follower.last + 1)
    default: .files(log: log, reason: error)
    }
  }
}

extension FileLogFolder {
  /// The entries of a partition behind an offset, and those that are written later.
  ///
  /// - Parameter ends: how far the partitions are.
  func entries<Entry>(
    of partition: Int,
    after offset: Int,
    identified identity: EntryIdentity,
    coding: Coding<Entry>,
    ends: [JournalProgress],
    onPoison poison: PoisonPolicy
  ) -> LogEntries<Entry> {
    LogEntries {
      guard ends.indices.contains(partition) else {
        return { () async throws(LogError) -> LogBatch<Entry>? in
          throw .noPartition(log: name, partition: partition, partitions: ends.count)
        }
      }
      let reader = PartitionReader(
        partition,
        of: self,
        after: offset,
        identified: identity,
        coding: coding,
        progress: ends[partition],
        onPoison: poison
      )
      return { () async throws(LogError) -> LogBatch<Entry>? in try await reader.next() }
    }
  }
}
