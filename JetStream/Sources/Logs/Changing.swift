import ArgumentParser
import Foundation
import RASPJetStream

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
    let count = try await options.withLog { log in
      let descriptor = open(file, O_CREAT | O_EXCL | O_WRONLY, 0o600)
      guard descriptor >= 0 else {
        throw ValidationError(
          "\(file) cannot be made: \(String(cString: strerror(errno))). Name a file that is not there."
        )
      }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      var (count, failure) = (0, (any Error)?.none)
      try await range.read(log) { entry in
        count += 1
        do { try handle.write(contentsOf: Data("\(EntryLine(entry).json)\n".utf8)) } catch {
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
      try handle.synchronize()
      return count
    }
    print("\(count) entries are in \(file)")
  }
}

/// Where a copy of a partition ends.
struct CutPosition: ExpressibleByArgument, Equatable {
  let partition: Int
  let offset: Int

  init?(argument: String) {
    let numbers = argument.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let partition = numbers[0], let offset = numbers[1], offset >= 0 else { return nil }
    (self.partition, self.offset) = (partition, offset)
  }
}

/// Copies a log that ends earlier.
struct CutCommand: AsyncParsableCommand {
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
  var at: [CutPosition]

  func validate() throws {
    guard Set(at.map(\.partition)).count < at.count else { return }
    throw ValidationError("--at names a partition twice.")
  }

  func run() async throws {
    let (copied, deleted) = try await options.withLog { log in
      try await log.copy(to: copy, upTo: Dictionary(uniqueKeysWithValues: at.map { ($0.partition, $0.offset) }))
    }
    let gone = deleted > 0 ? "; \(deleted) were deleted, so offsets behind them are other" : ""
    print("\(copied) entries are in the log \(copy)\(gone)")
  }
}
