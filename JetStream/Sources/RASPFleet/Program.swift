import ArgumentParser
import FleetProcesses
import Foundation

/// This program in one of its roles: a fleet starts itself again as sensors and owners.
@main
struct Program {
  static func main() async {
    if CommandLine.arguments.dropFirst().first == "--role" { await FleetRole.main() } else { await FleetCommand.main() }
  }
}

/// Sensors, a log in partitions, and owners as processes of this machine.
struct FleetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "RASPFleet",
    abstract: "Sensors, a log in partitions, and owners as processes of this machine.",
    discussion: "On a terminal: k kills an owner, n starts one, q quits."
  )

  @OptionGroup var options: FleetOptions

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
