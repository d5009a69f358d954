import RASPLogs

/// Tells entries that were deleted inside a stream from those that were lost.
///
/// Of entries before the first one of the stream a server tells nothing: not whether they were deleted, purged, or lost
/// with its files. They count as lost.
struct DeletedEntries: Sendable {
  let log: LogConnection
  /// The greatest number of offsets that is looked through. What a person deletes one by one is less.
  private static let greatestCount = 100_000

  /// Those of which the server knows it.
  func ranges(_ offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> [ClosedRange<Int>] {
    let stream = log.names.stream(partition)
    return Self.ranges(
      offsets,
      in: try await log.retrying(partition) { jetStream async throws(JetStreamError) in
        try await jetStream.deletions(in: stream).state
      }
    )
  }

  /// The first of some offsets that was not deleted; `nil` if all of them were.
  func firstLost(in offsets: ClosedRange<Int>, of partition: Int) async throws(LogError) -> Int? {
    var next = offsets.lowerBound
    for range in try await ranges(offsets, of: partition) where range.lowerBound <= next {
      next = max(next, range.upperBound + 1)
    }
    return next > offsets.upperBound ? nil : next
  }

  /// The ranges of a state that were deleted, within some offsets. Those that touch each other are one.
  static func ranges(_ offsets: ClosedRange<Int>, in state: StreamInformation.State) -> [ClosedRange<Int>] {
    let lost = Set(state.lost?.messages ?? [])
    let deleted = (state.deleted ?? []).prefix(greatestCount).filter { offsets.contains($0) && !lost.contains($0) }
    return deleted.sorted().reduce(into: []) { ranges, offset in
      if let last = ranges.last, last.upperBound + 1 == offset {
        ranges[ranges.count - 1] = last.lowerBound...offset
      } else {
        ranges.append(offset...offset)
      }
    }
  }
}
