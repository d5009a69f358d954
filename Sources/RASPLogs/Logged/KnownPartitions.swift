import Streams

/// What one aggregator knows of the partitions of its log, also of those that it does not own.
///
/// Safe to share: all of it is behind the lock.
final class KnownPartitions: Sendable {
  private struct State: Sendable {
    /// The newest entries that were seen: what is appended stands behind them, or the log went back.
    var newest: [Int]
    /// Why partitions cannot be owned here.
    var failures: [Int: LogError] = [:]
    var skippedCount = 0
  }

  private let state: Lock<State>

  init(partitions: Int) {
    state = Lock(State(newest: Array(repeating: 0, count: partitions)))
  }

  var failures: [Int: LogError] { state.withLock { $0.failures } }
  var skippedCount: Int { state.withLock { $0.skippedCount } }

  /// The newest entry that was seen in a partition to which something is to be appended.
  ///
  /// - Errors: why the partition has failed here.
  func newest(in partition: Int) throws(LogError) -> Int {
    let (newest, failure) = state.withLock { state in
      (state.newest[partition], state.failures.isEmpty ? nil : state.failures[partition])
    }
    if let failure { throw failure }
    return newest
  }

  func see(_ offset: Int, in partition: Int) {
    state.withLock { state in
      if offset > state.newest[partition] { state.newest[partition] = offset }
    }
  }

  func skip() { state.withLock { $0.skippedCount += 1 } }

  func note(_ change: LogOwnership) {
    state.withLock { state in
      switch change {
      case .failed(let partition, let failure):
        state.failures[partition] = failure
      case .restoring(let partition), .live(let partition), .deposed(let partition), .released(let partition),
        .following(let partition):
        state.failures[partition] = nil
      }
    }
  }
}
