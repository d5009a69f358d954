import Aggregate
import RASPJetStream
import RASPLogs

/// What one of many sensors tells.
struct Reading: Codable, Sendable {
  var sensor: String
  var celsius: Int
}

struct Sensor: AggregateState, Codable {
  var celsius = 0

  mutating func apply(_ reading: Reading) { celsius = reading.celsius }
}

@main
struct Program {
  static func main() async throws {
    let log = try await JetStreamLog<Reading>("nats://127.0.0.1:4222", name: "readings")
    let sensors = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
    try await sensors.append(Reading(sensor: "boiler-7", celsius: 81))
    let shown = sensors["boiler-7"].select(\.celsius).subscribe { print($0) }
    await sensors.shutdown()
    try await log.close()
    shown.cancel()
  }
}
