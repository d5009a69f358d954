import Aggregate
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("The article of recorded incidents")
struct RecordedIncidentsTests {
  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let document = "Sources/RASPInsight/RASPInsight.docc/RecordedIncidents.md"
    #expect(try ArticleBlocks.count(in: document) == 5)
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/RASPInsightTests/Articles") == [])
  }

  @Test("REC-02: an incident around a failure, and the tests of it")
  func incident() throws {
    let boat = Aggregator(initial: Ship())
    let steering = boat.select(\.speed).subscribe { if $0 > 0 { boat.send(.heading($0 * 10)) } }
    let scheduler = VirtualScheduler()
    let compass = Subject<Ship.Event, TestError>()
    boat.add(compass.observable)

    let recorder = record(boat, on: scheduler)
    let incidents = Log<Recording<Ship>>()
    let token = boat.sourceFailures.delay(by: .seconds(2), on: scheduler).subscribe { _ in
      let incident = recorder.recording.last(.seconds(30))
      if incident.duration < .seconds(30) { print("The tape has only \(incident.duration).") }
      incidents.note(incident)
    }
    scheduler.advance(by: .milliseconds(1_500))
    boat.send(.speed(2))
    compass.fail(TestError())
    scheduler.advance(by: .seconds(60))

    let why = recorder.why(\.heading)
    print(why)
    let shown = try SourceFiles.lines(of: "Sources/RASPInsight/RASPInsight.docc/RecordedIncidents.md")
    #expect(shown.joined(separator: "\n").contains("\n\(why)\n"))

    let incident = try #require(incidents.entries.first)
    #expect(incident.duration == .milliseconds(3_500))
    try testIncident(incident)
    withExtendedLifetime((steering, token)) {}
  }

  private func testIncident(_ incident: Recording<Ship>) throws {
    #expect(incident.isReproduced)
    given(incident).then {
      $0.speed = 2
      $0.heading = 20
    }

    let before = try #require(incident.state(before: 2))
    given(before).when(.heading(20)).then { $0.heading = 20 }
  }

  private func record(_ boat: Aggregator<Ship>, on scheduler: VirtualScheduler) -> FlightRecorder<Ship> {
    Insight(on: scheduler).record(boat, as: "boat")
  }

  private func recordInRealTime(_ boat: Aggregator<Ship>) -> FlightRecorder<Ship> {
    let insight = Insight()
    let recorder = insight.record(boat, as: "boat", last: 1_000)
    return recorder
  }
}
