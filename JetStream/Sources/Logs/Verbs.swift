import ArgumentParser
import Foundation
import RASPJetStream
import RASPJournal
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
  @OptionGroup var output: OutputOptions

  func run() async throws {
    if let log { return try await server.withLog(log) { try await $0.list(output.write) } }
    var isWhole = true
    for name in try await StoredLog.names(server.servers, options: server.options) {
      do throws(LogError) {
        // A bucket of something else is none.
        guard let log = try await StoredLog.open(server.servers, name: name, options: server.options) else { continue }
        try await log.list(output.write)
        await log.close()
      } catch {
        if error.isTemporary { throw error }
        output.write(StoredLine(error, of: name))
        isWhole = false
      }
    }
    if !isWhole { throw ExitCode(1) }
  }
}

/// Whether all of it fits together.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compares streams, records and entries with each other, and reads every entry."
  )

  @OptionGroup var options: LogOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    guard let whole = try await options.withLog({ try await $0.verify(output.write) }) else { throw ExitCode(1) }
    output.write(whole)
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
    try await options.withLog { log in try await log.dump(range.selection(of: log)) { print($0.json) } }
  }
}

/// All entries, in a file.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes the lines of `dump` into a new file, which only its owner can read."
  )

  @OptionGroup var options: LogOptions
  @Argument(help: "The file, which must not be there.")
  var file: String
  @OptionGroup var range: RangeOptions

  func run() async throws {
    do {
      let count = try await options.withLog { try await $0.export(range.selection(of: $0), to: file) }
      print("\(count) entries are in \(file)")
    } catch JournalError.system(_, _, let code) {
      let reason = String(cString: strerror(code))
      throw ValidationError("\(file) cannot be made: \(reason). Name a file that is not there.")
    }
  }
}

/// Copies a log that ends earlier.
struct CutCommand: AsyncParsableCommand {
  /// Where a copy of a partition ends.
  struct Position: ExpressibleByArgument {
    let partition: Int
    let offset: Int

    init?(argument: String) {
      let numbers = argument.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let partition = numbers[0], let offset = numbers[1], offset >= 0 else { return nil }
      (self.partition, self.offset) = (partition, offset)
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "cut",
    abstract: "Copies a log into a new one that ends earlier; the log itself is not changed.",
    discussion: """
      JetStream cannot take the newest entries of a stream back. The new log has the same entries in their order, and \
      no records, so owners fold it from its beginning, and react to its entries under its name. It has times of its own, \
      and other offsets behind entries that were deleted. Stop the publishers first.
      """
  )

  @OptionGroup var options: LogOptions
  @Argument(help: "The name of the new log.")
  var copy: String
  @Option(help: "The last entry of a partition that is copied, as in 3:1700; others are copied whole.")
  var at: [Position]

  func validate() throws {
    guard Set(at.map(\.partition)).count < at.count else { return }
    throw ValidationError("--at names a partition twice.")
  }

  func run() async throws {
    let ends = Dictionary(uniqueKeysWithValues: at.map { ($0.partition, $0.offset) })
    for line in try await options.withLog({ try await $0.cut(at: ends, to: copy) }) { print(line.text) }
  }
}
