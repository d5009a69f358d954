/// When a snapshot is made, and when a segment ends.
struct SegmentPlan: Sendable {
  /// So many events lie between two snapshots at least.
  var snapshotInterval = 10_000
  /// So many times as many bytes as a snapshot has, the events between it and the next one have at least.
  var snapshotFactor = 1
  /// A segment ends when it has so many bytes.
  var segmentSize = 64 << 20
  /// A segment ends at a snapshot if it has so many bytes, so that what is before need not be read after a restart.
  var smallSegmentSize = 4 << 20
  /// A smaller segment is not ended before it must be.
  var leastSegmentSize = 64 << 10
  /// How many bytes a batch has, unless one event has more.
  var batchSize = 1 << 20

  /// Events, and their bytes, since the last snapshot.
  private var events = 0
  private var bytes = 0
  private var snapshotSize = 0

  init() {}

  mutating func noteEvents(_ count: Int, bytes: Int) {
    assert(count >= 0 && bytes >= 0, "fewer events than before")
    events += count
    self.bytes += bytes
  }

  mutating func noteSnapshot(size: Int) {
    events = 0
    bytes = 0
    snapshotSize = size
  }

  /// It is tried again when so many events have come once more.
  mutating func noteFailedSnapshot() { events = 0 }

  /// A large state is not written more often than the events that have led to it.
  var isSnapshotDue: Bool { events >= snapshotInterval && bytes >= snapshotSize * snapshotFactor }

  /// Whether a segment is worth a file of its own.
  func isLargerThanSnapshot(_ size: Int) -> Bool { size > max(snapshotSize, leastSegmentSize) }

  /// - Parameters:
  ///   - size: the bytes of the segment.
  ///   - isAtSnapshot: is `true` if a snapshot of its last event has been made.
  ///   - retention: what may be deleted is deleted by whole segments.
  func endsSegment(size: Int, isAtSnapshot: Bool, retention: JournalRetention) -> Bool {
    size >= segmentSize || isAtSnapshot && (size >= smallSegmentSize || retention != .everything)
  }
}
