import ArgumentParser
import FleetProcesses
import Foundation

/// Sensors, a log in partitions, and owners as processes of this machine. The sensors and the owners are this program
/// in another role.
@main
struct FleetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "RASPFleet",
    abstract: "Sensors, a log in partitions, and owners as processes of this machine.",
    discussion: "On a terminal: k kills an owner, n starts one, q quits."
  )

  @OptionGroup var options: FleetOptions

  static func main() async {
    if CommandLine.arguments.dropFirst().first == "--role" { await FleetRole.main() } else { await main(nil) }
  }

  func validate() throws {
    if !options.servers.isEmpty, options.wantedWay == .mqtt {
      throw ValidationError("--by mqtt needs a server that is started here, and --servers names others.")
    }
  }

  func run() async throws {
    if !options.servers.isEmpty { return try await run(on: options.servers, mqttPort: nil) }
    let executable = try Broker.found()
    let ports = try await Broker.freePorts(2)
    var configuration = BrokerConfiguration(name: "fleet", port: ports[0])
    if options.way == .mqtt {
      configuration.mqttPort = ports[1]
      configuration.mappings = FleetLog.mappings(partitions: options.partitions)
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "fleet-\(UUID().uuidString.prefix(8))")
    let broker = try Broker(executable, configuration, in: folder)
    do {
      try await broker.start()
      try await run(on: [broker.address], mqttPort: configuration.mqttPort)
    } catch {
      await broker.end()
      throw error
    }
    await broker.end()
    try? FileManager.default.removeItem(at: folder)
  }

  private func run(on servers: [String], mqttPort: Int?) async throws {
    let log = try await FleetLog.open(servers: servers, partitions: options.partitions)
    try await FleetRun(options: options, servers: servers, mqttPort: mqttPort, log: log).run()
    try await log.close()
  }
}
