import RASPLogs

/// Tells entries that were deleted on purpose from those that were lost.
struct DeletedEntries: Sendable {
  let log: LogConnection

  /// Those of which the server knows it, inside the stream, and those in front of the oldest entry that were set aside.
  func ranges(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>] {
    let stream = log.names.stream(partition)
    let state = try await log.retrying(partition) { jetStream async throws(JetStreamError) in
      try await jetStream.deletions(in: stream).state
    }
    let inside = Deletions.ranges(offsets, in: state)
    guard state.first > 1, offsets.lowerBound < state.first else { return inside }
    let front = try await PoisonStore(log: log).offsets(of: partition, in: offsets.clamped(to: 1...state.first - 1))
    return Deletions.joined(front + inside)
  }

  /// The first of some offsets that was not deleted; `nil` if all of them were.
  func firstLost(in offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> Int? {
    var next = offsets.lowerBound
    for range in try await ranges(offsets, of: partition) where range.lowerBound <= next {
      next = max(next, range.upperBound + 1)
    }
    return next > offsets.upperBound ? nil : next
  }
}
