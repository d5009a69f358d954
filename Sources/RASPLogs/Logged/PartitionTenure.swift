import Aggregate
import Streams

/// A partition that is assigned to an aggregator: it is taken over again and again until it is given back.
///
/// Safe to share: what changes is behind the lock.
final class PartitionTenure<Key: PartitionKey, State: AggregateState>: Sendable {
  private struct Work: Sendable {
    var owner: PartitionOwner<Key, State>?
    var task: Task<Void, Never>?
    var failure: LogError?
    var keepsRows = false
  }

  private let partition: Int
  private let setup: PartitionSetup<Key, State>
  private let work = Lock(Work())
  private let isSettled = Latch()

  /// - Parameter before: a tenure of the same partition that may not have ended.
  init(of partition: Int, _ setup: PartitionSetup<Key, State>, after before: PartitionTenure?) {
    self.partition = partition
    self.setup = setup
    let owner = makeOwner()
    let task = Task {
      await before?.ended()
      await self.run(owner)
    }
    work.withLock { $0.task = task }
  }

  /// Why the partition cannot be owned; `nil` if it can.
  var failure: LogError? { work.withLock { $0.failure } }

  /// Returns when the partition is live, or is not owned. One task may wait.
  func settled() async { await isSettled.wait() }

  /// Returns when an entry is folded.
  func folded(_ offset: Int) async throws(LogError) {
    let progress = work.withLock { $0.owner }?.progress
    await progress?.wait(for: .written(offset))
    if let progress, progress.written >= offset || Task.isCancelled { return }
    throw failure ?? .notOwned(log: setup.log.name, partition: partition)
  }

  /// Gives the partition back. ``ended()`` waits until that is done.
  func end(keepsRows: Bool = false) {
    let task = work.withLock { work in
      work.keepsRows = keepsRows
      return work.task
    }
    task?.cancel()
  }

  func ended() async { await work.withLock { $0.task }?.value }

  private func run(_ first: PartitionOwner<Key, State>) async {
    var owner = first
    defer { isSettled.open() }
    while true {
      let failure = await owner.run { self.work.withLock { $0.keepsRows } }
      switch failure {
      case nil:
        setup.ownership.send(.released(partition))
        return
      case .deposed:
        setup.ownership.send(.deposed(partition))
        isSettled.open()
      case let error? where error.isTemporary: break
      case let error?:
        work.withLock { $0.failure = error }
        setup.ownership.send(.failed(partition, error))
        return
      }
      try? await setup.scheduler.sleep(until: setup.scheduler.now.later(by: setup.retry))
      if Task.isCancelled {
        setup.ownership.send(.released(partition))
        return
      }
      owner = makeOwner()
    }
  }

  private func makeOwner() -> PartitionOwner<Key, State> {
    let owner = PartitionOwner(of: partition, setup) { [setup, partition, isSettled] in
      setup.ownership.send(.live(partition))
      isSettled.open()
    }
    work.withLock { $0.owner = owner }
    return owner
  }
}
