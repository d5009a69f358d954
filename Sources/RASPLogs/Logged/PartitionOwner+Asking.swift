import RASPJournal
import Streams

// What others ask of an owner, on any thread.
extension PartitionOwner {
  /// Why the partition cannot be owned; `nil` if it can.
  nonisolated var failure: LogError? { shared.withLock { $0.machine.failure } }

  /// Returns when the partition is live, or is not owned. One task may wait.
  nonisolated func settled() async { await isSettled.wait() }

  /// Has ``settled()`` return.
  nonisolated func endWaiting() { isSettled.open() }

  /// Is `true` when the partition was given back, or its log was closed.
  nonisolated var isReleased: Bool {
    if case .released = shared.withLock({ $0.machine.phase }) { true } else { false }
  }

  /// How far the partition is, for a look whether it goes on.
  nonisolated var restored: Int { shared.withLock { $0.progress }.written }

  /// Returns when an entry is folded.
  nonisolated func folded(_ offset: Int) async throws(LogError) {
    if let reacting = setup.reports.reacting, reacting.partition == partition, reacting.offset < offset {
      let reason = """
        entry \(offset) may be folded only when the reaction to entry \(reacting.offset) has returned, so that one \
        cannot wait for it. Go on in the reaction to entry \(offset), or in a task that is detached.
        """
      throw .refused(log: setup.log.name, partition: partition, reason: reason)
    }
    let progress = shared.withLock { $0.progress }
    await progress.wait(for: .written(offset))
    if progress.written >= offset { return }
    if Task.isCancelled { throw .cancelled(log: setup.log.name) }
    throw failure ?? .notOwned(log: setup.log.name, partition: partition)
  }

  /// Gives the partition back. ``ended()`` waits until that is done.
  nonisolated func end(keepsRows: Bool = false) {
    let task = shared.withLock { shared in
      shared.keepsRows = keepsRows
      return shared.task
    }
    task?.cancel()
  }

  nonisolated func ended() async { await shared.withLock { $0.task }?.value }

  /// Gives the partition back without waiting for a reaction. Its batch is not committed.
  nonisolated func leaveReaction() {
    let (task, reacting) = shared.withLock { ($0.task, $0.reacting) }
    task?.cancel()
    reacting?.open()
  }
}
