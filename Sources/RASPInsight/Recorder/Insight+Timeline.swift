import RASPSupport
import Streams

extension Insight {
  /// All that is recorded, as it is drawn: one lane for each recorder, in the order in which they began.
  ///
  /// - Ordering: each cause comes before its effects, and each lane has its order. What else has happened is ordered by
  ///   time.
  /// - Complexity: as for the timeline of each recording, and O(occurrences × lanes).
  public var timeline: Timeline {
    // One after the other: what a later lane has more than an earlier one may have causes that are not there.
    let histories = lanes.present.map(\.history)
    return Timeline(
      lanes: histories.map(\.drawnLane),
      occurrences: merged(histories.map(\.drawnOccurrences)),
      clockOrigin: lanes.clock.wallOrigin
    )
  }
}

/// Merges the occurrences of several lanes.
///
/// ```
///   lane 1:  [ 3  7  9 ]         the earliest of the first ones that has no cause
///   lane 2:  [ 4  8 ]      ──▶   which is still to come
/// ```
///
/// The times alone do not tell: they may be a millisecond old. An occurrence has its place in the order of its lane,
/// and comes behind its cause.
func merged(_ lanes: [[Timeline.Occurrence]]) -> [Timeline.Occurrence] {
  var merged: [Timeline.Occurrence] = []
  merged.reserveCapacity(lanes.reduce(0) { $0 + $1.count })
  var rest = lanes.map { $0[...] }
  var waiting = Set(lanes.joined().map(\.id))
  while true {
    let present = rest.indices.filter { !rest[$0].isEmpty }
    // Each of them waits for another one only if the causes make a circle, as they may in a file from elsewhere.
    let free = present.filter { rest[$0].first.map { $0.id == $0.cause || !waiting.contains($0.cause) } ?? false }
    let candidates = free.isEmpty ? present : free
    let earliest = candidates.min { rest[$0].first.map(\.time) ?? .zero < rest[$1].first.map(\.time) ?? .zero }
    guard let earliest, let next = rest[earliest].popFirst() else { return merged }
    waiting.remove(next.id)
    merged.append(next)
  }
}
