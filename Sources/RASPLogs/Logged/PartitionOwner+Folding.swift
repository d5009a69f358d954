import Aggregate
import RASPJournal
import Streams

/// Reading and folding, beside which what is folded is committed while the partition is owned.
extension PartitionOwner {
  /// How many times in a row entries are read again that are not there.
  private static var mostRereads: Int { 3 }
  /// How many entries that were read may wait to be folded.
  private static var mostUnfolded: Int { 1 << 16 }

  /// Folds until the task is cancelled or the log is closed.
  ///
  /// - Returns: `true`: that is the end.
  func follow() async throws(LogError) -> Bool {
    // A commit that waits until the rows are not ahead any more goes on.
    defer {
      isAhead = folded.offset > offset
      rest.take()?.open()
    }
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

  /// - Returns: `false` if entries were left out that the log has not deleted.
  private func foldUntilHole() async throws(LogError) -> Bool {
    var batches = setup.log.entries(of: partition, after: offset, identified: identity).makeAsyncIterator()
    while let batch = try await batches.next(isolation: self) {
      let first = batch.offsets.lowerBound
      if first > offset + 1, try await present(in: offset + 1...first - 1) != nil { return false }
      // Entries that come again are known by their offsets.
      if batch.offsets.upperBound > offset, try await !fold(batch) { return true }
    }
    return true
  }

  /// The newest one of entries that is there or was lost; `nil` if all of them were deleted.
  func present(in offsets: ClosedRange<Int>) async throws(LogError) -> Int? {
    var newest = offsets.upperBound
    for deleted in try await setup.log.deleted(offsets, of: partition).reversed() where deleted.contains(newest) {
      newest = deleted.lowerBound - 1
    }
    return newest < offsets.lowerBound ? nil : newest
  }

  /// - Returns: `false` if the rows have finished: they do not have the batch, and it is not committed.
  private func fold(_ batch: LogBatch<State.Event>) async throws(LogError) -> Bool {
    assert(folded.offset == offset || role == .owner, "a follower reads what it has folded already")
    let (before, first, partitions) = (folded.offset, offset, setup.log.partitions)
    // A loop and no key path: code that does not know the type of the entries makes one anew each time.
    var events: [State.Event] = []
    events.reserveCapacity(batch.entries.count)
    var skipped = batch.skipped.filter { $0.position.offset > first }
    for logged in batch.entries where logged.offset > first {
      let belongs = PartitionHasher.partition(of: setup.keyOf(logged.entry), among: partitions)
      if belongs != partition {
        skipped.append(try misplaced(logged.offset, belongs))
      } else if logged.offset > before {
        events.append(logged.entry)
      }
    }
    // The entries up to there were told already.
    for entry in skipped where entry.position.offset > before { setup.reports.skip(entry) }
    guard setup.rows.send(contentsOf: events, toShard: partition) else { return false }
    let last = batch.offsets.upperBound
    // Entries that were folded as a follower come once more, to be reacted to.
    if last > before { folded = FoldedEntry(offset: last, identity: batch.identity) }
    setup.rows.behindEvents(ofShard: partition) { [progress] in progress.reach(last) }
    if role == .owner, let react = setup.reaction,
      await !self.react(to: batch, after: first, without: skipped, react)
    {
      return true
    }
    offset = last
    identity = batch.identity
    setup.reports.known.see(last, in: partition)
    rest.take()?.open()
    if let due, offset - committed >= due.count { due.latch.open() }
    // Another thread may be folding, and be slower than this one reads.
    let needed = last - Self.mostUnfolded
    if progress.written < needed { await progress.wait(for: .written(needed)) }
    return true
  }

  private func misplaced(_ offset: Int, _ belongs: Int) throws(LogError) -> SkippedEntry {
    let log = setup.log
    let error = LogError.misplaced(log: log.name, partition: partition, offset: offset, belongs: belongs)
    if log.poison == .stop { throw error }
    return SkippedEntry(position: position(of: offset), reason: error)
  }

  /// The reactions have a task of their own, because one that hangs may have to be left behind.
  ///
  /// - Returns: `false` if the partition was given back meanwhile. The rows are ahead of the offset then, and nothing
  ///   is committed any more: the next owner reacts to the whole batch again.
  private func react(
    to batch: LogBatch<State.Event>,
    after before: Int,
    without skipped: [SkippedEntry],
    _ react: @escaping @Sendable (LogPosition, State.Event) async -> Void
  ) async -> Bool {
    let skipped = Set(skipped.map(\.position.offset))
    let isOver = Latch()
    let isWhole = Lock(false)
    shared.withLock { $0.reacting = isOver }
    let reactions = Task {
      defer { isOver.open() }
      for logged in batch.entries where logged.offset > max(before, reacted) && !skipped.contains(logged.offset) {
        if Task.isCancelled { return }
        let reaction = Reaction(to: position(of: logged.offset), of: setup.reports)
        await OngoingWork.bind([reaction]) { await react(reaction.position, logged.entry) }
        reaction.isOver.withLock { $0 = true }
      }
      isWhole.withLock { $0 = true }
    }
    await withTaskCancellationHandler {
      await isOver.wait()
    } onCancel: {
      reactions.cancel()
    }
    isAhead = !isWhole.withLock { $0 }
    if isAhead { rest.take()?.open() }
    return !isAhead
  }

  private func position(of offset: Int) -> LogPosition {
    LogPosition(log: setup.log.name, partition: partition, offset: offset)
  }
}
