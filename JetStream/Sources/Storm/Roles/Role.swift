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
      switch role {
      case .owner: try await own(until: stop)
      case .publisher: try await publish()
      }
    } catch {
      ParentProcess.tell(Owner.Message.failed("\(error)"))
      throw ExitCode(1)
    }
  }

  /// Opens the log, with the mistakes of the options.
  private func open(timeLimit: Duration? = nil) async throws(LogError) -> any EventLog<StormEvent> {
    let log = try await StormLog.open(servers: options.servers, timeLimit: timeLimit, options)
    return options.mutant.map { MutantLog(log, $0) } ?? log
  }

  private func own(until stop: AsyncStream<Void>) async throws {
    let log = try await open(timeLimit: options.commitLimit)
    let lines = try LineFile(folder, "\(name).report")
    let owner = Owner(
      name: name,
      log: log,
      reacts: options.hasReactions,
      mutant: options.mutant,
      write: { lines.write($0.text) },
      tell: { ParentProcess.tell($0) }
    )
    await owner.run(until: stop)
    try await log.close()
  }

  private func publish() async throws {
    let lines = try LineFile(folder, "publisher-\(name)")
    let settings = Publisher.Settings(
      index: Int(name) ?? 0,
      events: options.events,
      seconds: options.seconds,
      keys: options.keys,
      seed: options.seed
    )
    let publisher = Publisher(settings: settings) { () async throws(LogError) in
      try await open(timeLimit: options.appendLimit)
    } tell: {
      lines.write($0)
    }
    try await publisher.run()
  }
}

/// A file of lines that several tasks write.
private struct LineFile: Sendable {
  private let file: FileHandle

  init(_ folder: String, _ name: String) throws {
    let path = URL(filePath: folder).appending(path: name).path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
    self.file = file
  }

  func write(_ line: String) {
    // One write for a line, so that lines of several tasks do not mix.
    try? file.write(contentsOf: Data("\(line)\n".utf8))
  }
}
