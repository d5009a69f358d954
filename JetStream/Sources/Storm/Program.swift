import ArgumentParser
import FleetProcesses
import Foundation
import RASPLogs

/// A storm over a log on NATS JetStream. The publishers and owners are this program in another role.
@main
struct StormCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Storm",
    abstract: "Publishers and owners are killed over a log on NATS JetStream, and what is left is verified.",
    discussion: "It exits with 0 only if nothing is wrong, with 1 if something is, and with 2 if there is no server."
  )

  @OptionGroup var options: StormOptions

  static func main() async {
    if CommandLine.arguments.dropFirst().first == "--role" { await Role.main() } else { await main(nil) }
  }

  func validate() throws {
    if options.hasThreeServers || options.isStalled, !options.servers.isEmpty {
      throw ValidationError("--three-servers and --stall start servers, so --servers cannot name some.")
    }
    if options.putBack != nil, options.hasThreeServers || !options.servers.isEmpty {
      throw ValidationError("--put-back needs one server that the storm has started.")
    }
  }

  /// The server on the path. Without one it says how to get it, and ends with 2.
  private func program() throws -> String {
    if let executable = Broker.executable { return executable }
    FileHandle.standardError.write(Data("\(Broker.remedy)\n".utf8))
    throw ExitCode(2)
  }

  func run() async throws {
    let servers = try await Servers(options, executable: options.servers.isEmpty ? program() : nil)
    let say: @Sendable (String) -> Void = { line in ParentProcess.tell(line) }
    do {
      let log = try await DriverLog { [options] () async throws(LogError) in
        try await StormLog.open(servers: servers.addresses, options)
      }
      let table = try await StormRun(options: options, servers: servers, log: log, lease: StormLog.lease, say: say)
        .run()
      try await log.present.close()
      for line in table.lines { say(line) }
      if !table.isRight { say("Its seed was \(options.seed).") }
      await servers.end(keepsFolder: options.keepsFolder || !table.isRight)
      if !table.isRight { throw ExitCode(1) }
    } catch {
      await servers.end(keepsFolder: true)
      throw error
    }
  }
}
