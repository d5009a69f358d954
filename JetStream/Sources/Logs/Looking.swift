import ArgumentParser
import RASPJetStream
import RASPLogs

/// What there is.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Tells which logs there are, and what each partition has."
  )

  @OptionGroup var server: ServerOptions
  @Argument(help: "Only this log.")
  var log: String?
  @Flag(help: "Write lines of JSON.")
  var json = false

  func run() async throws {
    if let log { return try await server.withLog(log) { try await list($0) } }
    var isWhole = true
    for name in try await StoredLog.names(server.servers, options: server.options) {
      do {
        // A bucket of something else is none.
        guard let log = try await StoredLog.open(server.servers, name: name, options: server.options) else { continue }
        try await list(log)
        await log.close()
      } catch let error as LogError {
        if error.isTemporary { throw error }
        print(ProblemLine(StoredProblem(error), of: name).text(json))
        isWhole = false
      }
    }
    if !isWhole { throw ExitCode(1) }
  }

  private func list(_ log: StoredLog) async throws {
    print(LogLine(log).text(json))
    for partition in try await log.storedPartitions() { print(PartitionLine(partition, of: log.name).text(json)) }
  }
}

/// Whether all of it fits together.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compares streams, records and entries with each other, and reads every entry."
  )

  @OptionGroup var options: LogOptions
  @Flag(help: "Write lines of JSON.")
  var json = false

  private struct Count: Encodable {
    let entries: Int
    let partitions: Int
  }

  func run() async throws {
    let isWhole = try await options.withLog { log in
      let (entries, problems) = try await log.verify()
      for problem in problems { print(ProblemLine(problem, of: log.name).text(json)) }
      guard problems.isEmpty else { return false }
      let count = Count(entries: entries, partitions: log.partitions)
      print(json ? jsonText(count) : "\(count.partitions) partitions are whole, with \(entries) entries")
      return true
    }
    if !isWhole { throw ExitCode(1) }
  }
}

/// All entries, on the screen.
struct DumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Writes a line of JSON for each entry; bytes that are no JSON are written in base64."
  )

  @OptionGroup var options: LogOptions
  @OptionGroup var range: RangeOptions

  func run() async throws {
    try await options.withLog { log in try await range.read(log) { print(EntryLine($0).json) } }
  }
}
