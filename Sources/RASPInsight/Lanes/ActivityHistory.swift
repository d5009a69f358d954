import RASPSupport
import Streams

/// What an engine or a cluster has recorded, at one moment.
struct ActivityHistory: LaneHistory {
  let laneName: String
  let laneNumber: Int
  let kind: Timeline.Kind
  /// Their numbers rise by one.
  let occurrences: [Occurrence]

  var drawnLane: Timeline.Lane {
    Timeline.Lane(number: laneNumber, name: laneName, kind: kind, initial: [])
  }

  var drawnOccurrences: [Timeline.Occurrence] {
    occurrences.map(drawn)
  }

  func occurrence(_ number: Int) -> Timeline.Occurrence? {
    guard let first = occurrences.first, number >= first.number, number - first.number < occurrences.count else {
      return nil
    }
    return drawn(occurrences[number - first.number])
  }

  private func drawn(_ occurrence: Occurrence) -> Timeline.Occurrence {
    var failure: String?
    if case .failed(let error)? = occurrence.end?.outcome { failure = "\(error)".oneLine }
    return Timeline.Occurrence(
      id: Cause(lane: laneNumber, number: occurrence.number),
      time: occurrence.time,
      duration: occurrence.end.map { $0.time - occurrence.time },
      label: text(of: occurrence),
      cause: occurrence.cause,
      failure: failure
    )
  }

  private func text(of occurrence: Occurrence) -> String {
    guard occurrence.kind == .event, let event = occurrence.subject as? any RecordedEvent else {
      return label(of: occurrence.subject)
    }
    let command = event.source
    if let error = event.error { return "\(command), error \(label(of: error))".oneLine.clipped(to: 200) }
    guard let data = event.data, !(data is Void) else { return "\(command), \(event.isProgress ? "progress" : "data")" }
    return "\(command), data \(label(of: data))".oneLine.clipped(to: 200)
  }
}
