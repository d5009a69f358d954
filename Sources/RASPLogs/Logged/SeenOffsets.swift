import Streams

/// The newest entry of each partition that one aggregator has seen: what it appends stands behind it, or the log went
/// back.
///
/// Safe to share: all of it is behind the lock.
final class SeenOffsets: Sendable {
  private let offsets: Lock<[Int]>

  init(partitions: Int) {
    offsets = Lock(Array(repeating: 0, count: partitions))
  }

  func newest(in partition: Int) -> Int { offsets.withLock { $0[partition] } }

  func see(_ offset: Int, in partition: Int) {
    offsets.withLock { offsets in
      if offset > offsets[partition] { offsets[partition] = offset }
    }
  }
}
