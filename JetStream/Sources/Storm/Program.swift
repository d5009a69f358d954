import FleetProcesses
import Foundation

/// A storm over a log on NATS JetStream; see `--help`. The publishers and owners are this program in another role.
@main
struct Program {
  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "--role" {
      await Role.run(words)
      return
    }
    if words.contains("--help") {
      print(StormOptions.help)
      return
    }
    do {
      exit(try await run(StormOptions(words)))
    } catch {
      FileHandle.standardError.write(Data("Storm: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: StormOptions) async throws -> Int32 {
    let executable = Broker.executable
    if executable == nil, options.servers.isEmpty {
      FileHandle.standardError.write(Data("Storm: \(Broker.remedy)\n".utf8))
      return 2
    }
    let servers = try await Servers(options, executable: executable)
    let say: @Sendable (String) -> Void = { line in ParentProcess.tell(line) }
    do {
      if options.measures {
        try await Measure(servers: servers, events: options.events ?? 1_000_000, say: say).run()
        await servers.end(keepsFolder: false)
        return 0
      }
      let log = try await StormLog.open(servers: servers.addresses, options)
      let table = try await StormRun(options: options, servers: servers, log: log, lease: StormLog.lease, say: say)
        .run()
      try await log.close()
      for line in table.lines { say(line) }
      if !table.isRight { say("Its seed was \(options.seed).") }
      await servers.end(keepsFolder: options.keepsFolder || !table.isRight)
      return table.isRight ? 0 : 1
    } catch {
      await servers.end(keepsFolder: true)
      throw error
    }
  }
}
