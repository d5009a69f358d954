import Aggregate
import RASPJetStream
import RASPLogs

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

/// The log that all processes of the fleet share.
enum FleetLog {
  static let name = "fleet"

  /// What a sensor publishes to `sensors/NAME` becomes an entry of the partition of its name.
  static func mappings(partitions: Int) -> [String: String] {
    ["sensors.*": "\(name).{{partition(\(partitions),1)}}.{{wildcard(1)}}"]
  }

  static func open(servers: [String], partitions: Int) async throws(LogError) -> JetStreamLog<Reading> {
    try await JetStreamLog<Reading>(servers.joined(separator: ","), name: name, partitions: partitions)
  }
}
