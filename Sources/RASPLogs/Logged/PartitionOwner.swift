import Aggregate
import RASPJournal
import Streams

/// Owns a partition once: from taking it over until it is deposed, given back or cannot go on.
///
/// ```
///   take over ──▶ read ──▶ fold ──▶ react ──▶ read …         follow
///                  wait until due ──▶ commit ──▶ wait …       beside it
/// ```
actor PartitionOwner<Key: PartitionKey, State: AggregateState> {
  /// How far entries are folded. It ends when the partition is not owned any more.
  nonisolated let progress = JournalProgress(at: 0)

  /// How many times in a row entries are read again that are not there.
  private static var mostRereads: Int { 3 }
  /// How many entries that were read may wait to be folded.
  private static var mostUnfolded: Int { 1 << 16 }

  private let partition: Int
  private let isLive: @Sendable () -> Void
  private let setup: PartitionSetup<Key, State>
  /// The newest entry that is folded and, with a reaction, has been reacted to.
  private var offset = 0
  private var revision = LogRevision.none
  private var committed = 0
  /// Between the two, rows are ahead of the offset.
  private var isReacting = false
  /// Is opened when rows and offset fit again.
  private var rest: Latch?
  /// Is opened when so many entries are folded that are not committed.
  private var due: (count: Int, latch: Latch)?

  /// - Parameter isLive: is called when all entries are folded that were there in the beginning.
  init(of partition: Int, _ setup: PartitionSetup<Key, State>, isLive: @escaping @Sendable () -> Void) {
    self.partition = partition
    self.isLive = isLive
    self.setup = setup
  }

  /// Returns when the partition is not owned any more.
  ///
  /// - Parameter keepsRows: is asked at the end whether the rows are to stay.
  /// - Returns: why; `nil` if the task was cancelled or the log was closed.
  func run(keepsRows: @Sendable () -> Bool) async -> LogError? {
    var failure: LogError?
    do throws(LogError) {
      try await takeOver()
      try await serve()
    } catch {
      failure = await reason(for: error)
    }
    if failure == nil { do throws(LogError) { try await commit() } catch {} }
    // The removals are in the line before the rows that the next owner restores.
    if !keepsRows() { await dropRows() }
    progress.end(nil)
    return failure
  }

  /// Writes the record back: from then on the owner before cannot commit.
  private func takeOver() async throws(LogError) {
    assert(revision == .none && offset == 0, "a partition is taken over twice by one owner")
    let (log, rows) = (setup.log, setup.rows)
    let record = try await log.committed(partition)
    revision = try await log.commit(record.rows, at: record.offset, to: partition, replacing: record.revision)
    if Task.isCancelled { return }
    setup.ownership.send(.restoring(partition))
    offset = record.offset
    committed = record.offset
    do throws(JournalError) {
      if let restored = try setup.coding.decode(record.rows, of: "\(log.name)/\(partition)") {
        rows.insert(restored)
      } else {
        // Of another version: all is folded again, and committed when it is as far as the record.
        offset = 0
        committed = record.offset - 1
      }
    } catch {
      throw .files(log: log.name, reason: error)
    }
    let newest = try await log.newest(in: partition)
    if newest < record.offset {
      throw .wentBack(log: log.name, partition: partition, newest: newest, wanted: record.offset)
    }
    let folded = offset
    rows.behindEvents(ofShard: partition) { [progress] in progress.reach(folded) }
    Task { [progress, isLive] in
      await progress.wait(for: .written(newest))
      if !progress.hasEnded { isLive() }
    }
  }

  /// What another owner has committed may have been deleted while this one still had to read it.
  private func reason(for error: LogError) async -> LogError {
    guard case .missing(let log, _, _) = error,
      let record = try? await setup.log.committed(partition), record.revision != revision
    else { return error }
    return .deposed(log: log, partition: partition)
  }

  private func serve() async throws(LogError) {
    do {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await self.follow() }
        group.addTask { try await self.commitWhenDue() }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch let error as LogError {
      throw error
    } catch {
      assertionFailure("An owner has thrown \(error).")
    }
  }

  // MARK: Folding

  /// Folds until the task is cancelled or the log is closed.
  private func follow() async throws(LogError) {
    var rereads = 0
    while !Task.isCancelled {
      do throws(LogError) {
        let before = offset
        if try await foldUntilHole() { return }
        // What was lost on the way is there when it is read again. What the log does not have is not.
        rereads = offset > before ? 1 : rereads + 1
        if rereads > Self.mostRereads { throw .missing(log: setup.log.name, partition: partition, offset: offset + 1) }
      } catch  where error.isTemporary {
        try? await setup.scheduler.sleep(until: setup.scheduler.now.later(by: setup.retry))
      }
    }
  }

  /// - Returns: `false` if entries were left out.
  private func foldUntilHole() async throws(LogError) -> Bool {
    var batches = setup.log.entries(of: partition, after: offset).makeAsyncIterator()
    while let batch = try await batches.next(isolation: self) {
      if batch.offsets.lowerBound > offset + 1 { return false }
      // Entries that come again are known by their offsets.
      if batch.offsets.upperBound > offset { try await fold(batch) }
    }
    return true
  }

  private func fold(_ batch: LogBatch<State.Event>) async throws(LogError) {
    assert(batch.offsets.lowerBound <= offset + 1, "entries are left out")
    assert(!isReacting, "two batches are folded at once")
    let (before, partitions) = (offset, setup.log.partitions)
    // A loop and no key path: code that does not know the type of the entries makes one anew each time.
    var events: [State.Event] = []
    events.reserveCapacity(batch.entries.count)
    for logged in batch.entries where logged.offset > before {
      let belongs = setup.keyOf(logged.entry).partition(of: partitions)
      guard belongs == partition else {
        throw .misplaced(log: setup.log.name, partition: partition, offset: logged.offset, belongs: belongs)
      }
      events.append(logged.entry)
    }
    setup.rows.send(contentsOf: events, toShard: partition)
    let folded = batch.offsets.upperBound
    setup.rows.behindEvents(ofShard: partition) { [progress] in progress.reach(folded) }
    if let react = setup.reaction {
      isReacting = true
      for logged in batch.entries where logged.offset > before {
        await react(LogPosition(log: setup.log.name, partition: partition, offset: logged.offset), logged.entry)
      }
      isReacting = false
    }
    offset = folded
    rest.take()?.open()
    if let due, offset - committed >= due.count { due.latch.open() }
    // Another thread may be folding, and be slower than this one reads.
    let needed = folded - Self.mostUnfolded
    if progress.written < needed { await progress.wait(for: .written(needed)) }
  }

  // MARK: Committing

  private func commitWhenDue() async throws(LogError) {
    while !Task.isCancelled {
      await waitForEntries(1)
      await waitForEntries(setup.events, atMost: setup.interval)
      if Task.isCancelled { return }
      do throws(LogError) {
        try await commit()
      } catch  where error.isTemporary {
        try? await setup.scheduler.sleep(until: setup.scheduler.now.later(by: setup.retry))
      }
    }
  }

  /// Returns when so many entries are folded that are not committed, when the time is over or when the task is
  /// cancelled.
  private func waitForEntries(_ count: Int, atMost duration: Duration? = nil) async {
    let latch = Latch()
    due = (count, latch)
    if offset - committed >= count { latch.open() }
    let timer = duration.map { setup.scheduler.schedule(at: setup.scheduler.now.later(by: $0)) { latch.open() } }
    await withTaskCancellationHandler {
      await latch.wait()
    } onCancel: {
      latch.open()
    }
    timer?.cancel()
  }

  /// Commits what is folded, while more is being folded.
  private func commit() async throws(LogError) {
    while isReacting {
      let latch = Latch()
      rest = latch
      await latch.wait()
    }
    let (log, partition, coding, offset, revision) = (setup.log, partition, setup.coding, offset, revision)
    guard offset > committed else { return }
    // The queue takes the request before anything else is folded, so these are the rows of the offset.
    let rows = await copyRows()
    // A task that is being cancelled commits, too.
    let result = await Task.detached { () -> Result<LogRevision, LogError> in
      let bytes: [UInt8]
      do throws(CodingError) {
        bytes = try coding.encode(rows)
      } catch {
        return .failure(.coding(log: log.name, partition: partition, reason: error))
      }
      do throws(LogError) {
        return .success(try await log.commit(bytes, at: offset, to: partition, replacing: revision))
      } catch {
        return .failure(error)
      }
    }.value
    self.revision = try result.get()
    assert(committed < offset && offset <= self.offset, "a record that is ahead of the rows")
    committed = offset
  }

  private func dropRows() async {
    for (key, _) in await copyRows() { setup.rows.remove(key) }
  }

  /// The rows behind everything that was sent so far. What is sent from now on is not in them.
  private func copyRows() async -> [(key: Key, value: State)] {
    await withCheckedContinuation { continuation in
      setup.rows.copyRows(ofShard: partition) { continuation.resume(returning: $0) }
    }
  }
}
