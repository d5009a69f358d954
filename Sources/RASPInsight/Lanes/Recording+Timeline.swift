import Aggregate
public import RASPHistory
import RASPKeyed
import RASPSupport
import Streams

extension Recording {
  /// The recording as it is drawn: one lane, with what each event has changed.
  ///
  /// - Complexity: O(events × fields), by reflection: tens of microseconds for each event of a state of twenty fields.
  public var timeline: Timeline {
    Timeline(lanes: [drawnLane], occurrences: drawnOccurrences, clockOrigin: clockOrigin)
  }

  /// The same without what is secret.
  ///
  /// The redacted events are folded again, so the states are what they make of the redacted state.
  ///
  /// - Parameter redaction: what is taken out before.
  /// - Complexity: as for ``timeline``.
  public func timeline(redacting redaction: Redaction<State>) -> Timeline {
    redacted(by: redaction).timeline
  }
}

extension Recording: LaneHistory {
  var laneName: String { name }

  var laneNumber: Int { lane }

  var drawnLane: Timeline.Lane {
    let fields = initial.map { StateDifferences(from: $0).fields } ?? []
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
    occurrences.reserveCapacity(entries.count)
    var differences = StateDifferences(from: initial)
    replay { entry, state, refusal in
      var occurrence = occurrence(of: entry)
      if let refusal {
        occurrence.failure = "\(refusal)".oneLine
      } else {
        occurrence.changes = differences.changes(to: state, by: entry.event)
      }
      occurrences.append(occurrence)
    }
    return occurrences
  }

  func changes(of numbers: Set<Int>) -> [Int: [Timeline.Change]] {
    guard var state = initial, let last = numbers.max() else { return [:] }
    var changes: [Int: [Timeline.Change]] = [:]
    for entry in entries {
      if entry.number > last { break }
      // A state is kept only for an event that is wanted: an event copies what it changes of a state that is kept.
      guard numbers.contains(entry.number) else {
        _ = state.fold(entry.event)
        continue
      }
      var differences = StateDifferences(from: state)
      let refusal = state.fold(entry.event)
      if refusal == nil { changes[entry.number, default: []] += differences.changes(to: state, by: entry.event) }
    }
    return changes
  }
}

/// A value on one line, a case with its dot.
func label(of value: Any) -> String {
  if let text = plainText(of: value) { return text.oneLine.clipped(to: 200) }
  let traits = TypeTraits.of(value)
  if traits.isRowStep, let step = value as? any AnyRowStep {
    let path = "[\(describe(step.anyKey.base))]"
    let parts = [path, step.content.map { label(of: $0) }, step.remark].compactMap { $0 }
    return parts.joined(separator: " ").oneLine.clipped(to: 200)
  }
  let isPlainCase = !traits.hasOwnText && Mirror(reflecting: value).displayStyle == .enum
  return ((isPlainCase ? "." : "") + "\(value)").oneLine.clipped(to: 200)
}
