import Aggregate
import RASPJournal
import Streams

/// Folding and committing, which go on beside each other while the partition is owned.
extension PartitionOwner {
  /// How many times in a row entries are read again that are not there.
  private static var mostRereads: Int { 3 }
  /// How many entries that were read may wait to be folded.
  private static var mostUnfolded: Int { 1 << 16 }

  /// Folds until the task is cancelled or the log is closed.
  ///
  /// - Returns: `true`: that is the end.
  func follow() async throws(LogError) -> Bool {
    var rereads = 0
    while !Task.isCancelled {
      do throws(LogError) {
        let before = offset
        if try await foldUntilHole() { break }
        // What was lost on the way is there when it is read again. What the log does not have is not.
        rereads = offset > before ? 1 : rereads + 1
        if rereads > Self.mostRereads { throw .missing(log: setup.log.name, partition: partition, offset: offset + 1) }
      } catch  where error.isTemporary {
        await pause()
      }
    }
    return true
  }

  /// - Returns: `false` if entries were left out.
  private func foldUntilHole() async throws(LogError) -> Bool {
    var batches = setup.log.entries(of: partition, after: offset, identified: identity).makeAsyncIterator()
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
    identity = batch.identity
    setup.seen.see(folded, in: partition)
    rest.take()?.open()
    if let due, offset - committed >= due.count { due.latch.open() }
    // Another thread may be folding, and be slower than this one reads.
    let needed = folded - Self.mostUnfolded
    if progress.written < needed { await progress.wait(for: .written(needed)) }
  }

  // MARK: Committing

  /// - Returns: `true`: that is the end.
  func commitWhenDue() async throws(LogError) -> Bool {
    while !Task.isCancelled {
      await waitForEntries(1)
      await waitForEntries(setup.events, atMost: setup.interval)
      if Task.isCancelled { break }
      do throws(LogError) {
        try await commit()
      } catch  where error.isTemporary {
        await pause()
      }
    }
    return true
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
  func commit() async throws(LogError) {
    while isReacting {
      let latch = Latch()
      rest = latch
      await latch.wait()
    }
    let (log, partition, coding, revision) = (setup.log, partition, setup.coding, revision)
    let (offset, identity) = (offset, identity)
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
        return .success(
          try await log.commit(bytes, at: offset, identified: identity, to: partition, replacing: revision)
        )
      } catch {
        return .failure(error)
      }
    }.value
    self.revision = try result.get()
    assert(committed < offset && offset <= self.offset, "a record that is ahead of the rows")
    committed = offset
  }

  func dropRows() async {
    for (key, _) in await copyRows() { setup.rows.remove(key) }
  }

  /// The rows behind everything that was sent so far. What is sent from now on is not in them.
  private func copyRows() async -> [(key: Key, value: State)] {
    await withCheckedContinuation { continuation in
      setup.rows.copyRows(ofShard: partition) { continuation.resume(returning: $0) }
    }
  }
}
