import Aggregate
import Streams

struct Location: Sendable, Equatable {
  var latitude: Double
  var longitude: Double
}

enum GeoEvent: Sendable {
  case heading(Double)
  case location(Location)
}

struct GeoState: AggregateState {
  var heading: Double?
  var location: Location?

  mutating func apply(_ event: GeoEvent) {
    switch event {
    case .heading(let heading): self.heading = heading
    case .location(let location): self.location = location
    }
  }
}

struct ReceiverError: Error {
  var reason: any Error

  init(_ reason: any Error) {
    self.reason = reason
  }
}

func severalSources(
  compass: Observable<Double, Never>,
  receiver: Observable<Location, any Error>,
  sightings: AsyncStream<Location>,
  recording: Observable<GeoEvent, Never>,
  simulation: @escaping @Sendable (ReceiverError) -> Observable<Location, Never>
) async {
  let geo = Aggregator(initial: GeoState(), sources: compass.map(GeoEvent.heading), receiver.map(GeoEvent.location))

  geo.send(.heading(90))  // from any thread
  let state = geo.snapshot  // the whole state, now
  let token = geo.select(\.heading).subscribe { print($0 ?? .nan) }  // now, and whenever it changes
  for await location in geo.select(\.location).values {
    print(location?.latitude ?? .nan)  // always the newest, never a backlog
  }

  let radar = geo.add(Observable(sightings).map(GeoEvent.location))  // any AsyncSequence
  geo.remove(source: radar)
  geo.replace(sources: recording)
  let failures = geo.sourceFailures.subscribe { print($0.error) }
  geo.add(receiver.retry(.exponential(from: .seconds(1))).map(GeoEvent.location), as: "gps")
  print(geo.health(of: "gps")?.outages ?? 0)  // and since when it is connected, its tries, its last event

  let position = receiver.mapError { ReceiverError($0) }.catch { simulation($0) }
  geo.add(position.map(GeoEvent.location))

  _ = (state, token, failures)
}
