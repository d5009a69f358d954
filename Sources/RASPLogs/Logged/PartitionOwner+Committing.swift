import Aggregate
import RASPJournal
import Streams

extension PartitionOwner {
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
    while folded.offset > offset, !isAhead {
      let latch = Latch()
      rest = latch
      await latch.wait()
    }
    let (log, partition, coding, revision) = (setup.log, partition, setup.coding, revision)
    let (offset, identity) = (offset, identity)
    guard offset > committed, !isAhead else { return }
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
    folded = .none
    let rows = await copyRows()
    // Those who ask are not told any more that what the rows had is folded here.
    progress.goBack(to: 0)
    for (key, _) in rows { setup.rows.remove(key) }
  }

  /// The rows behind everything that was sent so far. What is sent from now on is not in them.
  private func copyRows() async -> [(key: Key, value: State)] {
    await withCheckedContinuation { continuation in
      setup.rows.copyRows(ofShard: partition) { continuation.resume(returning: $0) }
    }
  }
}
