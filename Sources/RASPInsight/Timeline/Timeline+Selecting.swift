import RASPSupport
import Streams

extension Timeline {
  /// Returns the run with these lanes alone.
  ///
  /// A cause in another lane is named, and is not in the timeline.
  ///
  /// - Parameter names: the names of the lanes to keep. One that no lane has is ignored.
  /// - Complexity: O(occurrences).
  public func keeping(lanes names: some Sequence<String>) -> Timeline {
    let names = Set(names)
    let kept = lanes.filter { names.contains($0.name) }
    let numbers = Set(kept.map(\.number))
    let inside = occurrences.filter { numbers.contains($0.id.lane) }
    return Timeline(lanes: kept, occurrences: inside, clockOrigin: clockOrigin)
  }

  /// Returns the part of the run that happened in these times. The states before it are those that the occurrences
  /// before it have made.
  ///
  /// - Parameter times: the times to keep, since the origin of the clock.
  /// - Complexity: O(occurrences and their changes).
  public func keeping(times: some RangeExpression<Duration>) -> Timeline {
    var states: [Int: FieldTable] = [:]
    for lane in lanes { states[lane.number] = FieldTable(lane.initial) }
    var kept: [Occurrence] = []
    var hasBegun = Set<Int>()
    for occurrence in occurrences {
      if times.contains(occurrence.time) {
        kept.append(occurrence)
        hasBegun.insert(occurrence.id.lane)
      } else if !hasBegun.contains(occurrence.id.lane) {
        states[occurrence.id.lane]?.apply(occurrence.changes)
      }
    }
    var lanes = lanes
    for index in lanes.indices { lanes[index].initial = states[lanes[index].number]?.fields ?? [] }
    return Timeline(lanes: lanes, occurrences: kept, clockOrigin: clockOrigin)
  }
}

/// The fields of a state by their paths, in the order in which they were first there.
private struct FieldTable {
  private var paths: [String] = []
  private var values: [String: String] = [:]

  init(_ fields: [Timeline.Field]) {
    for field in fields {
      if values.updateValue(field.value, forKey: field.path) == nil { paths.append(field.path) }
    }
  }

  var fields: [Timeline.Field] {
    paths.compactMap { path in values[path].map { Timeline.Field(path: path, value: $0) } }
  }

  mutating func apply(_ changes: [Timeline.Change]) {
    for change in changes {
      let old = values[change.path]
      values[change.path] = change.new
      if old == nil, change.new != nil, !paths.contains(change.path) { paths.append(change.path) }
    }
  }
}
