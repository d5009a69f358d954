public import Aggregate
import Streams

extension Recording {
  /// The recording as it is drawn: one lane, with what each event has changed.
  ///
  /// - Complexity: O(events × fields), by reflection: tens of microseconds for each event of a state of twenty fields.
  public var timeline: Timeline {
    Timeline(lanes: [drawnLane], occurrences: drawnOccurrences)
  }
}

extension Recording: LaneHistory {
  var laneName: String { name }

  var laneNumber: Int { lane }

  var drawnLane: Timeline.Lane {
    let fields = initial.map { FieldList(of: $0).fields } ?? []
    return Timeline.Lane(number: lane, name: name, kind: .aggregator, initial: fields)
  }

  func occurrence(_ number: Int) -> Timeline.Occurrence? {
    self[number].map(occurrence)
  }

  private func occurrence(of entry: Entry) -> Timeline.Occurrence {
    Timeline.Occurrence(
      id: cause(of: entry),
      time: entry.time,
      label: label(of: entry.event),
      cause: entry.cause
    )
  }

  var drawnOccurrences: [Timeline.Occurrence] {
    guard let initial else { return entries.map(occurrence) }
    var occurrences: [Timeline.Occurrence] = []
    var fields = FieldList(of: initial)
    replay { entry, state, refusal in
      var occurrence = occurrence(of: entry)
      if let refusal {
        occurrence.failure = "\(refusal)".oneLine
      } else {
        let newer = FieldList(of: state)
        occurrence.changes = fields.changes(to: newer)
        fields = newer
      }
      occurrences.append(occurrence)
    }
    return occurrences
  }
}

/// A value on one line, a case with its dot.
func label(of value: Any) -> String {
  let hasOwnText = value is any CustomStringConvertible || value is any CustomDebugStringConvertible
  let isPlainCase = Mirror(reflecting: value).displayStyle == .enum && !hasOwnText
  return ((isPlainCase ? "." : "") + "\(value)").oneLine.clipped(to: 200)
}
