import FleetProcesses
import NIOConcurrencyHelpers
import RASPLogs
import Streams

/// Owns its share of the partitions, and tells what it has folded.
///
/// Safe to share: what changes is behind the lock.
final class FleetOwner: Sendable {
  private struct State {
    var status = OwnerStatus()
    /// The offset of the last reading that was folded of each partition, also of one that is not owned yet, or any
    /// more.
    var last: [Int: Int] = [:]

    mutating func own(_ partition: Int) { status.offsets[partition] = last[partition] ?? 0 }
  }

  private let state = NIOLockedValueBox(State())

  /// - Parameter stop: ends when the owner is to give its partitions back.
  func run(on log: any EventLog<Reading>, as name: String, until stop: AsyncStream<Void>) async throws(LogError) {
    let rows = try await LoggedAggregator<String, Sensor>(
      by: \.sensor,
      initial: { _ in Sensor() },
      on: log,
      as: name,
      committingEvery: .seconds(1)
    ) { [self] position, _ in
      state.withLockedValue { state in
        state.last[position.partition] = position.offset
        state.status.folded += 1
        if state.status.offsets[position.partition] != nil { state.own(position.partition) }
      }
    }
    let changes = rows.ownership.subscribe { [self] change in
      state.withLockedValue { state in
        switch change {
        case .live(let partition): state.own(partition)
        case .deposed(let partition), .released(let partition), .failed(let partition, _):
          state.status.offsets[partition] = nil
        case .restoring, .following: break
        @unknown default: break
        }
      }
    }
    // Under the lock, so that none is added that is released in between.
    state.withLockedValue { state in
      for partition in rows.partitions { state.own(partition) }
    }
    let hottest = rows.ranked(by: \.celsius, first: 1).subscribe { [self] rows in
      state.withLockedValue { $0.status.hottest = rows.first.map { "\($0.key) \($0.value)" } ?? "" }
    }
    let telling = Task {
      while !Task.isCancelled {
        ParentProcess.tell(state.withLockedValue { $0.status })
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

/// What an owner tells several times a second.
struct OwnerStatus: Equatable, Codable, Sendable {
  /// The partitions whose rows it has, with the offset of the last reading that is folded.
  var offsets: [Int: Int] = [:]
  /// The readings that it has folded since its start.
  var folded = 0
  /// The sensor with the highest temperature.
  var hottest = ""
}
