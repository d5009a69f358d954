import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// Heading and location come from sensors of their own and make one state.
@Suite("The geolocation example")
struct GeolocationExampleTests {
  private struct Heading: Sendable, Equatable {
    let degrees: Int
  }

  private struct Location: Sendable, Equatable {
    let latitude: Double
    let longitude: Double
  }

  private enum GeoEvent: Sendable {
    case heading(Heading)
    case location(Location)
  }

  private struct GeoState: AggregateState, Equatable {
    var heading: Heading?
    var location: Location?

    mutating func apply(_ event: GeoEvent) {
      switch event {
      case .heading(let heading): self.heading = heading
      case .location(let location): self.location = location
      }
    }
  }

  @Test("Two sensors at their own rates, one consistent state, and fields that speak when they change")
  func geolocation() {
    let time = VirtualScheduler()
    // The boat turns every second tick, and the receiver has a fix every three seconds.
    let compass = Observable.interval(.seconds(1), on: time).map { Heading(degrees: 90 + $0 / 2 * 10) }
    let gps = Observable.interval(.seconds(3), on: time)
      .map { Location(latitude: 52.85, longitude: 5.3 + Double($0) / 4) }
    let geo = Aggregator(
      initial: GeoState(),
      sources: compass.map(GeoEvent.heading),
      gps.map(GeoEvent.location)
    )
    let lines = Log<String>()
    let bag = SubscriptionBag()
    defer { bag.cancel() }
    geo.select(\.heading).subscribe { heading in
      lines.note("\(time.now.components.seconds) s: heading \(heading.map { "\($0.degrees)" } ?? "unknown")")
    }.store(in: bag)
    geo.select(\.location).subscribe { location in
      let text = location.map { "\($0.latitude), \($0.longitude)" } ?? "unknown"
      lines.note("\(time.now.components.seconds) s: location \(text)")
    }.store(in: bag)

    time.advance(by: .seconds(6))

    #expect(
      lines.entries == [
        "0 s: heading unknown",
        "0 s: location unknown",
        "1 s: heading 90",
        "3 s: location 52.85, 5.3",
        "3 s: heading 100",
        "5 s: heading 110",
        "6 s: location 52.85, 5.55",
      ]
    )
    #expect(
      geo.snapshot
        == GeoState(heading: Heading(degrees: 110), location: Location(latitude: 52.85, longitude: 5.55))
    )
  }

  @Test("By hand, from a replay in place of the sensors, and to its end")
  func byHandAndReplay() {
    let time = VirtualScheduler()
    let compass = Observable.interval(.seconds(1), on: time).map { GeoEvent.heading(Heading(degrees: $0)) }
    let geo = Aggregator(initial: GeoState(), sources: compass)
    let degrees = Recorder(geo.select(\.heading?.degrees).observable, on: time)

    time.advance(by: .seconds(2))
    geo.send(.heading(Heading(degrees: 359)))
    geo.replace(sources: Observable([.heading(Heading(degrees: 45)), .heading(Heading(degrees: 46))]))
    time.advance(by: .seconds(2))
    geo.finish()

    #expect(degrees.values == [nil, 0, 1, 359, 45, 46])
    #expect(degrees.records.map(\.instant) == [0, 1, 2, 2, 2, 2, 4].map { .seconds($0) })
    #expect(degrees.ends == [.finished])
    #expect(time.pending.isEmpty)
  }
}
