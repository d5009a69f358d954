import RASPHistory
import RASPSupport
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

  /// Returns what some occurrences have changed.
  func changes(of numbers: Set<Int>) -> [Int: [Timeline.Change]]
}

extension LaneHistory {
  func changes(of numbers: Set<Int>) -> [Int: [Timeline.Change]] { [:] }
}

/// What one insight records now, in one clock. It keeps none of it alive.
///
/// Safe to share: the references are behind the lock, the rest does not change.
final class LaneList: Sendable {
  private struct Reference: Sendable {
    weak var lane: (any RecordedLane)?
  }

  let clock: TapeClock
  private struct References: Sendable {
    var all: [Reference] = []
    /// When those are looked for whose lanes have been released.
    var sweepAt = 16
  }

  private let references = Lock(References())

  init(_ clock: TapeClock) {
    self.clock = clock
  }

  /// - Complexity: O(1), amortised.
  func add(_ lane: any RecordedLane) {
    let present = references.withLock { references -> [any RecordedLane] in
      references.all.append(Reference(lane: lane))
      guard references.all.count >= references.sweepAt else { return [] }
      let present = references.all.compactMap(\.lane)
      references.all = present.map { Reference(lane: $0) }
      references.sweepAt = max(16, 2 * present.count)
      return present
    }
    // One that has been released meanwhile goes here, behind the lock, and what it has recorded with it.
    withExtendedLifetime(present) {}
  }

  /// The lanes that are still there, each once: two recorders of one aggregator have one lane.
  var present: [any RecordedLane] {
    // A lane may be released here, and so may what it has recorded: behind the lock.
    let all = references.withLock { $0.all.compactMap(\.lane) }
    var numbers = Set<Int>()
    return all.filter { numbers.insert($0.number).inserted }
  }
}
