import Aggregate
import RASPJetStream
import RASPLogs
import Streams

/// What a sensor tells.
struct Reading: Codable, Sendable, Equatable {
  var sensor: String
  var value: Int
}

/// The row of a sensor, which depends on the order of its readings.
struct Sensor: AggregateState, Codable, Equatable {
  var count = 0
  var hash: UInt64 = 7

  mutating func apply(_ reading: Reading) {
    count += 1
    hash = hash &* 0x100_0000_01B3 ^ UInt64(bitPattern: Int64(reading.value))
  }
}

typealias Sensors = LoggedAggregator<String, Sensor>

extension LoggedAggregator where Key == String, State == Sensor {
  static func opened(
    on log: JetStreamLog<Reading>,
    as member: String = newMember(),
    orAfter events: Int = 50_000,
    reacting reaction: (@Sendable (LogPosition, Reading) async -> Void)? = nil
  ) async throws -> Sensors {
    try await Sensors(
      by: \Reading.sensor,
      initial: { _ in Sensor() },
      on: log,
      as: member,
      orAfter: events,
      retryingAfter: .milliseconds(50),
      reacting: reaction
    )
  }

  /// Opens rows, and throws why a partition cannot be owned.
  static func owned(on log: JetStreamLog<Reading>) async throws -> Sensors {
    let sensors = try await opened(on: log)
    guard let failure = sensors.failures.values.first else { return sensors }
    await sensors.shutdown(within: .seconds(600))
    throw failure
  }

  /// Whether all entries of the log are folded here.
  func hasAll(of log: JetStreamLog<Reading>) async throws -> Bool {
    for partition in 0..<log.partitions {
      let newest = try await log.newest(in: partition)
      try await folded(LogPosition(log: log.name, partition: partition, offset: newest))
    }
    return true
  }
}

/// The rows that readings give in their order.
func folding(_ readings: [Reading]) -> [String: Sensor] {
  readings.reduce(into: [:]) { $0[$1.sensor, default: Sensor()].apply($1) }
}
