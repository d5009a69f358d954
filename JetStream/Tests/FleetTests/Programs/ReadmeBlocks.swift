import Aggregate
import NIOConcurrencyHelpers
import RASPJetStream
import RASPLogs
import ServerSupport
import Testing

private struct Reading: Codable, Sendable {
  var sensor: String
  var celsius: Double
}

private struct Sensor: AggregateState, Codable {
  var celsius = 0.0

  mutating func apply(_ reading: Reading) {
    celsius = reading.celsius
  }
}

/// The code of the README, as it stands there; only the address is that of the server of the test.
@Suite(.enabled(if: NATSServer.isAvailable, "There is no nats-server on the path."))
struct ReadmeBlocks {
  @Test("rows are folded from a log on a server", .timeLimit(.minutes(10)))
  func rows() async throws {
    let server = try await NATSServer.start()
    defer { server.kill() }
    let seen = NIOLockedValueBox<[Double?]>([])
    let show: @Sendable (Double?) -> Void = { value in seen.withLockedValue { $0.append(value) } }
    let log = try await JetStreamLog<Reading>(server.url, name: "readings", partitions: 4)
    let sensors = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: log)
    try await sensors.append(Reading(sensor: "boiler-7", celsius: 81))
    let shown = sensors["boiler-7"].select(\.celsius).subscribe { show($0) }
    await sensors.shutdown()
    try await log.close()
    shown.cancel()
    let again = try await JetStreamLog<Reading>(server.url, name: "readings")
    let restored = try await LoggedAggregator(by: \Reading.sensor, initial: { _ in Sensor() }, on: again)
    #expect(restored["boiler-7"].current?.celsius == 81)
    await restored.shutdown()
    try await again.close()
  }
}
