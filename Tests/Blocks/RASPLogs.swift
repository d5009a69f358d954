// What the block of the landing page of `RASPLogs` uses and does not show.

import Aggregate

struct Reading: Codable, Sendable {
  var sensor: String
  var celsius: Double
}

struct Sensor: AggregateState, Codable {
  var celsius = 0.0

  mutating func apply(_ reading: Reading) {}
}

let folder = ""
@Sendable func show(_ celsius: Double?) {}
