import ArgumentParser
import RASPJetStream
import RASPJournal
import RASPNATS

/// How the servers are reached.
struct ServerOptions: ParsableArguments {
  @Argument(help: "The servers, as in nats://127.0.0.1:4222; several have commas between them.")
  var servers: String
  @Option(help: "A file with credentials, of nsc or Synadia Cloud.")
  var credentials: String?
  @Option(help: "A file with the certificates of the authorities that are believed.")
  var authorities: String?

  var options: JetStreamOptions {
    var options = JetStreamOptions()
    if let credentials { options.nats.credentials = .file(credentials) }
    if let authorities { options.nats.tls = NATSTLS(authorities: authorities) }
    return options
  }
}

/// Which log of the servers.
struct LogOptions: ParsableArguments {
  @OptionGroup var server: ServerOptions
  @Argument(help: "The name of the log.")
  var log: String

  /// Opens the log for a while.
  func withLog<Result>(_ body: (StoredLog) async throws -> Result) async throws -> Result {
    try await server.withLog(log, body)
  }
}

extension ServerOptions {
  /// Opens a log for a while.
  func withLog<Result>(_ name: String, _ body: (StoredLog) async throws -> Result) async throws -> Result {
    guard let log = try await StoredLog.open(servers, name: name, options: options) else {
      throw ValidationError("There is no log \(name) on the servers; `list` names those that are.")
    }
    do {
      let result = try await body(log)
      await log.close()
      return result
    } catch {
      await log.close()
      throw error
    }
  }
}

/// Which entries of a log.
struct RangeOptions: ParsableArguments {
  @Option(help: "Only this partition.")
  var partition: Int?
  @Option(help: "Begin at this offset.")
  var from = 1
  @Option(help: "End at this offset.")
  var to: Int?

  func validate() throws {
    guard from < 1 || from > to ?? .max else { return }
    throw ValidationError("--from and --to are offsets, which count from 1, and --to is not before --from.")
  }

  /// The entries that are asked for.
  func selection(of log: StoredLog) throws -> StoredLog.Selection {
    if let partition, !(0..<log.partitions).contains(partition) {
      throw ValidationError("The log has the partitions 0 to \(log.partitions - 1).")
    }
    return StoredLog.Selection(partition: partition, offsets: from...(to ?? .max - 1))
  }
}

/// How a line is written.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Write lines of JSON.")
  var json = false

  func write(_ line: StoredLine) { print(json ? line.json : line.text) }
}
