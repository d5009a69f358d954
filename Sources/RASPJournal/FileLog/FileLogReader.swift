import Aggregate

/// Reads the entries of one partition from its files, also while they are written.
actor FileLogReader<Entry: Sendable> {
  private let log: String
  private let partition: Int
  private let folder: JournalFolder
  private let coding: Coding<Entry>
  private let progress: JournalProgress
  private var offset: Int
  private var cursor: EventCursor<Unfolded<Entry>>?

  init(
    _ partition: Int,
    of folder: FileLogFolder,
    after offset: Int,
    coding: Coding<Entry>,
    progress: JournalProgress
  ) {
    log = folder.name
    self.partition = partition
    self.folder = folder.partition(partition)
    self.offset = max(0, offset)
    self.coding = coding
    self.progress = progress
  }

  func next() async throws(LogError) -> LogBatch<Entry>? {
    while !Task.isCancelled, !progress.hasEnded {
      let written = progress.written
      if offset > written { throw .wentBack(log: log, partition: partition, newest: written, wanted: offset) }
      if offset == written {
        await progress.wait(for: .written(offset + 1))
      } else if let batch = try read(upTo: written) {
        return batch
      }
    }
    if let failure = progress.failure, !Task.isCancelled { throw .files(log: log, reason: failure) }
    return nil
  }

  private func read(upTo written: Int) throws(LogError) -> LogBatch<Entry>? {
    var entries: [Logged<Entry>] = []
    let goesOn: Bool
    do throws(JournalError) {
      if cursor == nil {
        cursor = try EventCursor(at: offset + 1, listing: try folder.listing(), coding: coding, in: folder)
      }
      goesOn =
        try cursor?.readBatch(upTo: written) { [offset] entry in
          if entry.number > offset {
            entries.append(Logged(offset: entry.number, time: entry.time, entry: entry.event))
          }
        } ?? false
    } catch {
      cursor = nil
      throw Self.error(for: error, log: log, partition: partition, offset: offset + 1)
    }
    // An entry may have become none, so the last ones are known only at the end.
    let last = goesOn ? entries.last?.offset : written
    guard let last, last > offset else { return nil }
    defer { offset = last }
    return LogBatch(offsets: offset + 1...last, entries: entries)
  }

  private static func error(for error: JournalError, log: String, partition: Int, offset: Int) -> LogError {
    switch error {
    case .missing: .missing(log: log, partition: partition, offset: offset)
    case .unreadable(_, _, _, let reason): .coding(log: log, partition: partition, reason: reason)
    // What is not needed any more was deleted behind the reader's back.
    case .system(_, _, SystemError.notThere): .missing(log: log, partition: partition, offset: offset)
    default: .files(log: log, reason: error)
    }
  }
}
