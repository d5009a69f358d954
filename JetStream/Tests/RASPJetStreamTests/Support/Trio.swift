import FleetProcesses
import Foundation
import RASPLogs
import RASPNATS

@testable import RASPJetStream

/// Three servers of a cluster, which may be stopped and continued.
struct Trio {
  let brokers: [Broker]
  private let folder = FileManager.default.temporaryDirectory.appending(path: "trio-\(UUID().uuidString)")

  init() async throws {
    let ports = try await Broker.freePorts(6)
    var brokers: [Broker] = []
    for index in 0..<3 {
      var configuration = BrokerConfiguration(name: "n\(index + 1)", port: ports[index])
      configuration.cluster = (ports[3 + index], Array(ports[3...]))
      brokers.append(try Broker(Broker.executable ?? "nats-server", configuration, in: folder))
      try await brokers[index].start()
    }
    self.brokers = brokers
  }

  /// Opens a log with three replicas by way of one of the servers, as soon as they have chosen a leader.
  func log(by index: Int, _ change: (inout JetStreamOptions) -> Void = { _ in }) async throws -> JetStreamLog<String> {
    var options = JetStreamOptions.quick
    change(&options)
    let address = brokers[index].address
    while true {
      let log = try? await JetStreamLog<String>(address, name: "log", partitions: 1, replicas: 3, options: options)
      if let log { return log }
    }
  }

  /// Which of the servers leads a stream.
  func leader(of stream: String) async throws -> Int {
    let client = try await NATSClient.connect(to: brokers.map(\.address))
    var leader: Int?
    while leader == nil {
      let name = try? await JetStream(client: client).stream(stream).cluster?.leader
      leader = brokers.indices.first { "n\($0 + 1)" == name }
    }
    await client.close()
    return leader ?? 0
  }

  func end() async {
    for broker in brokers { await broker.end() }
    try? FileManager.default.removeItem(at: folder)
  }
}
