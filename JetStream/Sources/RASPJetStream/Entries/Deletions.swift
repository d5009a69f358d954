import RASPLogs

/// Tells entries that were deleted inside a stream from those that were lost.
///
/// Entries before the first one of the stream are not told apart: they were purged, or were lost with the files of the
/// server. They count as lost.
enum Deletions {
  /// The greatest number of offsets that is looked through. What somebody deletes one by one is less.
  static let greatestCount = 100_000

  /// The ranges of a state that were deleted, within some offsets.
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
