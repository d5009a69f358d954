import RASPLogs
import RASPNATS

/// Looks whether the servers of a log do what its options demand.
struct DurabilityProof: Sendable {
  let log: LogConnection
  /// How many servers have each stream, at least.
  let replicas: Int

  /// Looks whether the servers do what is asked for.
  func acknowledgement() async throws(LogError) -> LogAcknowledgement {
    switch log.options.durability {
    case .asTheServerIs:
      return LogAcknowledgement(replicas: replicas, isSynced: false)
    case .replicated:
      guard replicas >= 3 else {
        let reason =
          "its entries have \(replicas) replica, and `.replicated` needs 3. Make a log with `replicas: 3`."
        throw .refused(log: log.name, partition: nil, reason: reason)
      }
      return LogAcknowledgement(replicas: replicas, isSynced: false)
    case .synced(.monitoring(let addresses)):
      try await check(by: addresses)
      return LogAcknowledgement(replicas: replicas, isSynced: true)
    }
  }

  /// - Parameter addresses: the monitoring addresses of the servers.
  /// - Errors: ``LogError/refused(log:partition:reason:)`` with the name of a server that has entries of the log and
  ///   has not proved it. No answer is no proof.
  private func check(by addresses: [String]) async throws(LogError) {
    var proved: Set<String> = []
    var failures: [String] = []
    for address in addresses {
      do {
        let server = try await Self.server(at: address, log.options)
        if server.jetstream?.config?.isAlwaysSynced == true {
          proved.insert(server.name)
        } else {
          failures.append("\"\(server.name)\" (\(address)) has no `sync_interval: always`")
        }
      } catch {
        failures.append("\(address): \(error)")
      }
    }
    let servers = try await servers()
    guard let missing = servers.subtracting(proved).min() else { return }
    let found = failures.isEmpty ? "" : " Found: \(failures.joined(separator: "; "))."
    throw .refused(
      log: log.name,
      partition: nil,
      reason: """
        the server "\(missing)" has entries of the log, and has not proved that it syncs its disk before it acknowledges. \
        Set `sync_interval: always` in its configuration, and give its monitoring address to the proof.\(found)
        """
    )
  }

  /// The names of all servers that have something of the log.
  private func servers() async throws(LogError) -> Set<String> {
    var names: Set<String> = []
    for stream in [log.names.bucket] + log.partitions.indices.map(log.names.stream) {
      let cluster = try await log.retrying(nil) { jetStream async throws(JetStreamError) in
        try await jetStream.stream(stream).cluster
      }
      let peers = (cluster?.replicas ?? []).map(\.name) + [cluster?.leader].compactMap { $0 }
      names.formUnion(peers.isEmpty ? [log.client.server.name] : peers)
    }
    return names
  }

  private static func server(at address: String, _ options: JetStreamOptions) async throws -> Server {
    let limit = options.nats.connectTimeLimit
    let answer = try await Monitoring.answer(of: address, to: "/varz", tls: options.nats.tls, limit: limit)
    return try JSON.decode(from: answer)
  }

  private struct Server: Decodable {
    struct Store: Decodable {
      struct Config: Decodable {
        var isAlwaysSynced: Bool?

        private enum CodingKeys: String, CodingKey { case isAlwaysSynced = "sync_always" }
      }
      var config: Config?
    }
    var name: String
    var jetstream: Store?

    private enum CodingKeys: String, CodingKey {
      case name = "server_name"
      case jetstream
    }
  }
}
