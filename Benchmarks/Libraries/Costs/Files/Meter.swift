import Aggregate

/// The state of most rows.
struct Meter: AggregateState, Equatable, Codable {
  var value = 0
  var count = 0

  mutating func apply(_ reading: Int) {
    value = reading
    count &+= 1
  }
}

/// An event that names the row of a ``KeyedMeter``.
struct Reading: Sendable, Codable {
  var key: Int
  var value: Int
}

/// A row of a keyed aggregator.
struct KeyedMeter: AggregateState, Equatable, Codable {
  var value = 0

  mutating func apply(_ reading: Reading) { value = reading.value }
}

/// An event with several fields.
struct Fix: Sendable, Codable, Equatable {
  var number: Int
  var latitude: Double
  var isValid: Bool
  var source: String

  init(_ number: Int) {
    self.number = number
    latitude = 52.25
    isValid = true
    source = "gps"
  }
}

/// A state that folds fixes.
struct Route: AggregateState, Codable {
  var newest = 0

  mutating func apply(_ fix: Fix) { newest = fix.number }
}
