// What the blocks of the article about view models use and do not show.

import Aggregate

struct StationEvent: Sendable {
  let station: String
  let celsius: Double
}

struct StationState: AggregateState {
  var celsius = 0.0

  mutating func apply(_ event: StationEvent) {}
}

struct Server: Sendable {
  func rename(_ name: String) async throws {}
}

let server = Server()
