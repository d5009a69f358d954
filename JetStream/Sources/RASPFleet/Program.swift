import FleetProcesses
import Foundation

/// Sensors, a log in partitions, and owners as processes of this machine; see `--help`. The owners and the sensors are this
/// program in another role.
@main
struct Program {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    do {
      if words.first == "--role" {
        try await FleetRole.run(words)
      } else if words.contains("--help") {
        print(FleetOptions.help)
      } else {
        exit(try await run(FleetOptions(words)))
      }
    } catch {
      FileHandle.standardError.write(Data("RASPFleet: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: FleetOptions) async throws -> Int32 {
    if !options.servers.isEmpty {
      try await run(options, on: options.servers, mqttPort: nil)
      return 0
    }
    guard let executable = Broker.executable else {
      FileHandle.standardError.write(Data("RASPFleet: \(Broker.remedy)\n".utf8))
      return 2
    }
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
      try await run(options, on: [broker.address], mqttPort: configuration.mqttPort)
    } catch {
      await broker.kill()
      throw error
    }
    await broker.kill()
    try? FileManager.default.removeItem(at: folder)
    return 0
  }

  private static func run(_ options: FleetOptions, on servers: [String], mqttPort: Int?) async throws {
    let log = try await FleetLog.open(servers: servers, partitions: options.partitions)
    try await FleetRun(options: options, servers: servers, mqttPort: mqttPort, log: log).run()
    try await log.close()
  }
}
