import RASPJournal
import RASPPrimitives

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
    let progress = shared.withLock { $0.progress }
    await progress.wait(for: .written(offset))
    if progress.written >= offset || Task.isCancelled { return }
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
}
