import Streams

/// What an insight records, without its type.
protocol RecordedLane: AnyObject, Sendable {
  /// The number of the lane.
  var number: Int { get }

  /// Takes what has been recorded.
  var history: any LaneHistory { get }
}

/// What one lane has recorded, at one moment.
protocol LaneHistory: Sendable {
  var laneName: String { get }
  var laneNumber: Int { get }

  /// The lane, as it is drawn.
  var drawnLane: Timeline.Lane { get }

  /// All that it has, with what each occurrence has changed.
  var drawnOccurrences: [Timeline.Occurrence] { get }

  /// Returns one occurrence, without what it has changed; `nil` if it is not a part of the history.
  func occurrence(_ number: Int) -> Timeline.Occurrence?
}

/// The lanes of one insight, which it does not keep alive.
struct WeakLanes: Sendable {
  private struct Reference: Sendable {
    weak var lane: (any RecordedLane)?
  }

  private var references: [Reference] = []

  mutating func add(_ lane: any RecordedLane) {
    references.removeAll { $0.lane == nil }
    references.append(Reference(lane: lane))
  }

  /// Those that are still there, each lane once: two recorders of one aggregator have one lane.
  var present: [any RecordedLane] {
    var numbers = Set<Int>()
    return references.compactMap(\.lane).filter { numbers.insert($0.number).inserted }
  }
}
