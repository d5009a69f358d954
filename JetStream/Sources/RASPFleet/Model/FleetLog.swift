import RASPJetStream
import RASPJournal

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
