import RASPLogs

/// Tells entries that were deleted inside a stream from those that were lost.
///
/// Of entries before the first one of the stream a server tells nothing: not whether they were deleted, purged, or lost
/// with its files. They count as lost, unless an operator has set them aside; see ``PoisonStore``.
enum Deletions {
  /// The greatest number of offsets that is looked through. What a person deletes one by one is less.
  static let greatestCount = 100_000

  /// The ranges of a state that were deleted, within some offsets.
  static func ranges(_ offsets: ClosedRange<Int>, in state: StreamInformation.State) -> [ClosedRange<Int>] {
    let lost = Set(state.lost?.messages ?? [])
    let deleted = (state.deleted ?? []).prefix(greatestCount).filter { offsets.contains($0) && !lost.contains($0) }
    return joined(deleted.sorted().map { $0...$0 })
  }

  /// Ranges in their order, of which those that touch each other are one.
  static func joined(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    ranges.reduce(into: []) { joined, range in
      if let last = joined.last, last.upperBound + 1 == range.lowerBound {
        joined[joined.count - 1] = last.lowerBound...range.upperBound
      } else {
        joined.append(range)
      }
    }
  }
}
