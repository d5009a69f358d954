import Aggregate
import Foundation
import RASPInsight
import RASPJournal
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("The article of recorded incidents")
struct RecordedIncidentsTests {
  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let document = "Sources/RASPInsight/RASPInsight.docc/RecordedIncidents.md"
    #expect(try ArticleBlocks.count(in: document) == 7)
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

  @Test("REC-14: an incident is dumped into a file two seconds after a failure, without what is secret")
  func dump() throws {
    let boat = Aggregator(initial: Ship())
    let scheduler = VirtualScheduler()
    let compass = Subject<Ship.Event, TestError>()
    boat.add(compass.observable)
    let recorder = record(boat, on: scheduler)
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).rasp").path
    defer { try? FileManager.default.removeItem(atPath: path) }

    let anonymous = Redaction<Ship> { ship in
      var ship = ship
      ship.crew = []
      return ship
    } event: { event in
      if case .crew = event { .crew([]) } else { event }
    }
    let dump = boat.sourceFailures.delay(by: .seconds(2), on: scheduler).subscribe { failure in
      do {
        try recorder.recording.last(.seconds(30)).write(to: path, redacting: anonymous)
      } catch {
        print("There is no dump of the failure \(failure.error): \(error)")
      }
    }
    boat.send(.crew(["Ada"]))
    compass.fail(TestError())
    scheduler.advance(by: .seconds(1))
    boat.send(.heading(7))
    #expect(!FileManager.default.fileExists(atPath: path))
    scheduler.advance(by: .seconds(1))

    let incident = try Recording<Ship>(contentsOf: path)
    #expect(incident.entries.map(\.event) == [.crew([]), .heading(7)])
    #expect(incident.state.crew.isEmpty)
    #expect(incident.isReproduced)
    withExtendedLifetime(dump) {}
  }

  @Test("REC-11: the rows of the article")
  func rows() throws {
    let ships = KeyedAggregator(by: \Order.ship, initial: { _ in Vessel() })
    let insight = VoyageInsight()
    var texts: [String] = []
    func print(_ explanation: Explanation) { texts.append("\(explanation)") }

    let rowRecorder = insight.record(ships, as: "ships", last: 10_000)
    print(rowRecorder.why(\.heading, of: "Kim"))
    let kim = rowRecorder.recording(of: "Kim")

    #expect(kim?.state.heading == 20)
    let shown = try SourceFiles.lines(of: "Sources/RASPInsight/RASPInsight.docc/RecordedIncidents.md")
    for text in texts { #expect(shown.joined(separator: "\n").contains("\n\(text)\n")) }
    #expect(texts.count == 1)
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

private struct Order: Sendable {
  let ship: String
  let heading: Double
}

/// The row of a ship.
private struct Vessel: AggregateState, Equatable {
  var heading = 0.0

  mutating func apply(_ order: Order) { heading = order.heading }
}

/// An insight that sends two orders to what it records.
private struct VoyageInsight {
  func record(
    _ ships: KeyedAggregator<String, Vessel>,
    as name: String,
    last count: Int
  ) -> FlightRecorder<RecordedRows<String, Vessel>> {
    let scheduler = VirtualScheduler()
    let recorder = Insight(on: scheduler).record(ships, as: name, last: count)
    scheduler.advance(by: .milliseconds(1_500))
    for heading in [0.0, 20] { ships.send(Order(ship: "Kim", heading: heading)) }
    return recorder
  }
}
