import Streams

/// The place of an occurrence in a trace, in which slices have length and those of one track nest.
struct TraceSlice {
  /// The beginning and the end, in nanoseconds since the start of the run.
  var start: Int64
  var end: Int64
  /// The number of the track in the lane.
  var track: Int

  var length: Int64 { end - start }

  /// The length of what takes no time, where there is space for it.
  private static let instant: Int64 = 1_000

  /// A slice for each occurrence of a run, in the order of the occurrences.
  static func slices(of run: DrawnRun) -> [TraceSlice] {
    let grid = Grid(of: run)
    var slices = starts(of: run, grid).map { TraceSlice(start: $0, end: $0, track: 0) }
    let ends = ends(of: run, slices, grid)
    // For each lane, its tracks; for each track, the slices that have not ended.
    var tracks: [[[Int]]] = Array(repeating: [], count: run.lanes.count)
    for index in slices.indices {
      slices[index].end = ends[index]
      let lane = run.laneOf[index]
      slices[index].track = place(index, of: slices, in: &tracks[lane], cause: run.causeOf[index])
    }
    return slices
  }

  /// The beginnings rise in each lane and from cause to effect.
  private static func starts(of run: DrawnRun, _ grid: Grid) -> [Int64] {
    var starts: [Int64] = []
    starts.reserveCapacity(run.times.count)
    var newest = Array(repeating: -grid.step, count: run.lanes.count)
    for index in run.times.indices {
      let time = grid.time(run.times[index].subtractingClamped(run.clock.start))
      var start = max(time, newest[run.laneOf[index]] + grid.step)
      if let cause = run.causeOf[index] { start = max(start, starts[cause] + grid.step) }
      newest[run.laneOf[index]] = start
      starts.append(start)
    }
    return starts
  }

  /// What takes no time lasts until the next slice of its lane, at most ``instant``.
  private static func ends(of run: DrawnRun, _ slices: [TraceSlice], _ grid: Grid) -> [Int64] {
    var next = Array(repeating: Int64.max, count: run.lanes.count)
    var ends = Array(repeating: Int64(0), count: slices.count)
    for index in slices.indices.reversed() {
      let start = slices[index].start
      if let duration = run.occurrences[index].duration {
        ends[index] = start + max(grid.time(duration.nanoseconds), grid.step)
      } else {
        ends[index] = min(start + instant, next[run.laneOf[index]])
      }
      next[run.laneOf[index]] = start
    }
    return ends
  }

  /// Puts a slice inside its cause, if that is the last one open on its track and lasts longer, else on the first track
  /// on which nothing is open.
  private static func place(_ index: Int, of slices: [TraceSlice], in tracks: inout [[Int]], cause: Int?) -> Int {
    // A slice that has ended by now is not looked at again: the beginnings rise.
    func close(_ track: Int) {
      while let last = tracks[track].last, slices[last].end <= slices[index].start { tracks[track].removeLast() }
    }
    if let cause {
      let track = slices[cause].track
      if tracks.indices.contains(track) { close(track) }
      if tracks.indices.contains(track), tracks[track].last == cause, slices[index].end <= slices[cause].end {
        tracks[track].append(index)
        return track
      }
    }
    for track in tracks.indices {
      close(track)
      if tracks[track].isEmpty {
        tracks[track].append(index)
        return track
      }
    }
    tracks.append([index])
    return tracks.count - 1
  }
}

/// The times that a trace can tell apart. A viewer reads microseconds as floating-point numbers, which are exact to
/// a nanosecond up to 50 days. Of a longer run, or of what takes longer, whole microseconds are drawn.
private struct Grid {
  /// The least time between the beginnings of two slices of a lane, of a cause and an effect, and the least length.
  let step: Int64
  /// Times are multiples of it.
  private let unit: Int64

  private static let exact: Int64 = 4_320_000_000_000_000
  /// The latest beginning and the longest length, a year: beyond it microseconds are not exact either, and all that is
  /// later stands there.
  private static let latest: Int64 = 35_000_000_000_000_000

  init(of run: DrawnRun) {
    let isExact =
      run.times.allSatisfy { $0.subtractingClamped(run.clock.start) <= Self.exact }
      && run.occurrences.allSatisfy { ($0.duration?.nanoseconds ?? 0) <= Self.exact }
    (unit, step) = isExact ? (1, 100) : (1_000, 1_000)
  }

  func time(_ nanoseconds: Int64) -> Int64 {
    let time = min(max(nanoseconds, 0), Self.latest)
    return time - time % unit
  }
}
