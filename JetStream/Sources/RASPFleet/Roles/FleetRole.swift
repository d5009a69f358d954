import ArgumentParser
import FleetProcesses

/// What this program does when a fleet has started it.
struct FleetRole: AsyncParsableCommand {
  enum Kind: String, ExpressibleByArgument {
    case sensors, owner
  }

  @Option var role: Kind
  @Option var name = ""
  @Option var mqtt: Int?
  @OptionGroup var options: FleetOptions

  func run() async throws {
    let stop = ParentProcess.stopRequest()
    let feed = SensorFeed(count: options.sensors, rate: options.rate)
    if let mqtt, role == .sensors { return try await feed.publish(host: "127.0.0.1", port: mqtt) }
    let log = try await FleetLog.open(servers: options.servers, partitions: options.partitions)
    switch role {
    case .sensors: try await feed.append(to: log)
    case .owner: try await FleetOwner().run(on: log, as: name, until: stop)
    }
    try await log.close()
  }
}
