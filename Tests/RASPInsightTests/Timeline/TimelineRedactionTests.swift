import Aggregate
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Drawings without what is secret")
struct TimelineRedactionTests {
  private static let secret = "53.5511N"

  private var recording: Recording<Ship> {
    let ship = Aggregator(initial: Ship())
    let recorder = Insight(on: VirtualScheduler()).record(ship, as: "ship")
    ship.send(.name(Self.secret))
    ship.send(.heading(7))
    ship.send(.crew([Self.secret, "Ada"]))
    return recorder.recording
  }

  private func drawings(of timeline: Timeline) -> [String] {
    [timeline.page, timeline.marbles]
  }

  @Test("REC-14: a recording is drawn without what its redaction takes out of states and events")
  func recordings() {
    let redaction = Redaction<Ship> { ship in
      var ship = ship
      ship.name = ""
      ship.crew.remove(Self.secret)
      return ship
    } event: { event in
      switch event {
      case .name: .name("hidden")
      case .crew(let crew): .crew(crew.subtracting([Self.secret]))
      default: event
      }
    }
    let recording = recording
    for drawing in drawings(of: recording.timeline) { #expect(drawing.contains(Self.secret)) }
    for drawing in drawings(of: recording.timeline(redacting: redaction)) {
      #expect(!drawing.contains(Self.secret))
      #expect(drawing.contains("heading(7.0)"))
    }
    #expect(recording.timeline(redacting: redaction).occurrences.map(\.id) == recording.timeline.occurrences.map(\.id))
  }

  @Test("REC-14: a timeline is drawn without what is taken out: its redaction sees all labels, failures and fields")
  func timelines() {
    var run = recording.timeline
    run.occurrences[1].failure = "not at \(Self.secret)"
    run.lanes[0].initial.append(Timeline.Field(path: ".ports[\"\(Self.secret)\"]", value: "1"))
    run.occurrences[1].changes.append(Timeline.Change(path: ".ports[\"\(Self.secret)\"]", old: "1", new: nil))
    let redaction = Timeline.Redaction { _, field in
      if field.path.hasPrefix(".ports") { return nil }
      return Timeline.Field(path: field.path, value: field.value.replacing(Self.secret, with: "…"))
    } label: { lane, label in
      lane == "ship" ? label.replacing(Self.secret, with: "…") : label
    }
    for drawing in drawings(of: run.redacted(by: redaction)) {
      #expect(!drawing.contains(Self.secret))
      #expect(drawing.contains("heading(7.0)"))
    }
  }
}
