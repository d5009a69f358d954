import FleetProcesses
import Foundation
import RASPJournal

/// What this program does when a storm has started it.
enum Role {
  static func run(_ words: some Sequence<String>) async {
    do {
      let arguments = try Arguments(
        words,
        options: StormOptions.options.union(["role", "name", "folder"]),
        lists: ["servers"],
        flags: ["three-servers"]
      )
      let (stop, stopping) = AsyncStream.makeStream(of: Void.self)
      ParentProcess.listen { line in
        if line == "stop" { stopping.finish() }
      }
      var options = try StormOptions([])
      options.partitions = try arguments.number("partitions", in: 1...256) ?? options.partitions
      options.hasThreeServers = arguments.has("three-servers")
      var log: any EventLog<StormEvent> = try await StormLog.open(servers: arguments.list("servers"), options)
      if let mutant = arguments.text("mutant").flatMap(Mutant.init) { log = MutantLog(log, mutant) }
      let name = arguments.text("name") ?? ""
      if arguments.text("role") == "owner" {
        let owner = Owner(name: name, log: log) { message in ParentProcess.tell(message.line) }
        await owner.run(until: stop)
      } else {
        try await publish(on: log, index: Int(name) ?? 0, arguments)
      }
      try await log.close()
    } catch {
      ParentProcess.tell(Owner.Message.failed("\(error)").line)
      exit(1)
    }
  }

  private static func publish(on log: any EventLog<StormEvent>, index: Int, _ arguments: Arguments) async throws {
    let folder = URL(filePath: arguments.text("folder") ?? ".")
    let path = folder.appending(path: "publisher-\(index)").path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
    let settings = Publisher.Settings(
      index: index,
      events: try arguments.number("events", in: 1...Int.max),
      seconds: try arguments.number("seconds", in: 0...86_400),
      keys: try arguments.number("keys", in: 1...Int.max) ?? 1,
      seed: try arguments.number("seed", in: 0...UInt64.max) ?? 0
    )
    let publisher = Publisher(settings: settings, log: log) { line in
      // One write for a line, so that lines of several tasks do not mix.
      try? file.write(contentsOf: Data("\(line)\n".utf8))
    }
    try await publisher.run()
  }
}
