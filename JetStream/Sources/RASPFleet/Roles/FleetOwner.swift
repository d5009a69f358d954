import FleetProcesses
import RASPJournal
import Streams
import Synchronization

/// Owns its share of the partitions, and tells what it has folded.
///
/// Safe to share: what changes is behind the lock.
final class FleetOwner: Sendable {
  private let status = Mutex(OwnerStatus())

  /// - Parameter stop: ends when the owner is to give its partitions back.
  func run(on log: any EventLog<Reading>, as name: String, until stop: AsyncStream<Void>) async throws(LogError) {
    let rows = try await LoggedAggregator<String, Sensor>(
      by: \.sensor,
      initial: { _ in Sensor() },
      on: log,
      as: name,
      committingEvery: .seconds(1)
    ) { [self] position, _ in
      status.withLock { status in
        status.offsets[position.partition] = position.offset
        status.folded += 1
      }
    }
    let changes = rows.ownership.subscribe { [self] change in
      status.withLock { status in
        switch change {
        case .live(let partition): status.offsets[partition, default: 0] += 0
        case .deposed(let partition), .released(let partition), .failed(let partition, _):
          status.offsets[partition] = nil
        case .restoring: break
        }
      }
    }
    for partition in rows.partitions {
      status.withLock { $0.offsets[partition, default: 0] += 0 }
    }
    let hottest = rows.ranked(by: \.celsius, first: 1).subscribe { [self] rows in
      status.withLock { $0.hottest = rows.first.map { "\($0.key) \($0.value)" } ?? "" }
    }
    let telling = Task {
      while !Task.isCancelled {
        ParentProcess.tell(status.withLock { $0 }.line)
        try await Task.sleep(for: .milliseconds(200))
      }
    }
    for await _ in stop {}
    telling.cancel()
    await rows.shutdown()
    changes.cancel()
    hottest.cancel()
  }
}
