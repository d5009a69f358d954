import ArgumentParser
import FleetProcesses
import Foundation
import RASPLogs

/// What this program does when a storm has started it.
struct Role: AsyncParsableCommand {
  enum Kind: String, ExpressibleByArgument {
    case owner, publisher
  }

  @Option var role: Kind
  @Option var name: String
  @Option var folder = "."
  @OptionGroup var options: StormOptions

  func run() async throws {
    do {
      let stop = ParentProcess.stopRequest()
      var log: any EventLog<StormEvent> = try await StormLog.open(servers: options.servers, options)
      if let mutant = options.mutant { log = MutantLog(log, mutant) }
      switch role {
      case .owner: await Owner(name: name, log: log) { ParentProcess.tell($0) }.run(until: stop)
      case .publisher: try await publish(on: log)
      }
      try await log.close()
    } catch {
      ParentProcess.tell(Owner.Message.failed("\(error)"))
      throw ExitCode(1)
    }
  }

  private func publish(on log: any EventLog<StormEvent>) async throws {
    let path = URL(filePath: folder).appending(path: "publisher-\(name)").path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
    let settings = Publisher.Settings(
      index: Int(name) ?? 0,
      events: options.events,
      seconds: options.seconds,
      keys: options.keys,
      seed: options.seed
    )
    let publisher = Publisher(settings: settings, log: log) { line in
      // One write for a line, so that lines of several tasks do not mix.
      try? file.write(contentsOf: Data("\(line)\n".utf8))
    }
    try await publisher.run()
  }
}
