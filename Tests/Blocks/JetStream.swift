// What the blocks of the README of `JetStream` use and do not show.

import Aggregate

struct Reading: Codable, Sendable {
  var sensor: String
  var celsius: Double
}

struct Sensor: AggregateState, Codable {
  var celsius = 0.0

  mutating func apply(_ reading: Reading) {}
}

let servers = ""
@Sendable func show(_ celsius: Double?) {}
