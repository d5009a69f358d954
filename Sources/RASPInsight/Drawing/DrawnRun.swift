import RASPSupport
import Streams

/// A timeline with its references resolved, for all drawings: each occurrence has a lane, and each cause is an earlier
/// occurrence or none.
///
/// A timeline is a value that anyone can make, so it may have lanes that are not listed, times that go back, causes
/// that are not in it or that come later. All of them can be drawn.
struct DrawnRun {
  /// The lanes of the timeline, and behind them those that only its occurrences name.
  let lanes: [Timeline.Lane]
  let occurrences: [Timeline.Occurrence]
  /// The position of each occurrence's lane in ``lanes``.
  let laneOf: [Int]
  /// The position of each occurrence's cause; `nil` if there is none before it.
  let causeOf: [Int?]
  /// The time of each occurrence in nanoseconds, since the origin of the clock.
  let times: [Int64]
  private let positions: [Int: Int]
  /// The texts of the times.
  let clock: ClockText
  /// When the run began, as wall time; `nil` if that is not known.
  let beginning: String?

  init(_ timeline: Timeline) {
    var lanes: [Timeline.Lane] = []
    var positions: [Int: Int] = [:]
    for lane in timeline.lanes {
      if positions[lane.number] == nil { positions[lane.number] = lanes.count }
      lanes.append(lane)
    }
    var laneOf: [Int] = []
    var causeOf: [Int?] = []
    var indices: [Cause: Int] = [:]
    laneOf.reserveCapacity(timeline.occurrences.count)
    causeOf.reserveCapacity(timeline.occurrences.count)
    indices.reserveCapacity(timeline.occurrences.count)
    for (index, occurrence) in timeline.occurrences.enumerated() {
      let number = occurrence.id.lane
      if positions[number] == nil {
        positions[number] = lanes.count
        lanes.append(Timeline.Lane(number: number, name: "lane \(number)", kind: .aggregator, initial: []))
      }
      laneOf.append(positions[number] ?? 0)
      causeOf.append(indices[occurrence.cause])
      if occurrence.id != .unknown { indices[occurrence.id] = index }
    }
    self.lanes = lanes
    self.positions = positions
    self.laneOf = laneOf
    self.causeOf = causeOf
    occurrences = timeline.occurrences
    times = occurrences.map(\.time.nanoseconds)
    clock = ClockText(times)
    let clock = clock
    beginning = timeline.clockOrigin.map { wallText($0.nanoseconds.addingClamped(clock.start), clock.decimals) }
  }

  /// The name of an occurrence: its lane, and its number there.
  func name(of id: Cause) -> String {
    let lane = positions[id.lane].map { lanes[$0].name.oneLine } ?? "lane \(id.lane)"
    return "\(lane) #\(id.number)"
  }

  /// What is known of the cause of an occurrence, in words; `nil` if nothing is.
  func causeText(of index: Int) -> String? {
    let cause = occurrences[index].cause
    if cause == .unknown { return nil }
    return name(of: cause) + (causeOf[index] == nil ? ", not in the recording" : "")
  }
}

extension Duration {
  /// In whole nanoseconds, as far as an `Int64` reaches: 292 years.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, tooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, over) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return tooLarge || over ? (seconds < 0 ? .min : .max) : sum
  }
}
