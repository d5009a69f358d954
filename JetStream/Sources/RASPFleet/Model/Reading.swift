import Aggregate

/// What a sensor says.
struct Reading: Equatable, Codable, Sendable {
  var sensor: String
  var celsius: Double
}

/// What owners fold for each sensor.
struct Sensor: AggregateState, Equatable, Codable {
  var celsius = 0.0
  var highest = -Double.infinity
  var count = 0

  mutating func apply(_ reading: Reading) {
    celsius = reading.celsius
    highest = max(highest, reading.celsius)
    count += 1
  }
}
