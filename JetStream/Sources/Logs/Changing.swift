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

/// Passes over an entry.
struct SkipCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip",
    abstract: "Has owners pass over an entry that they cannot read, whatever their policy is; nothing is deleted.",
    discussion: """
      The entry is copied into the stream LOG-poison, as the policy `.setAside` does. Owners that have failed because of \
      it go on when they are started again. An entry that they can read stays one. For an entry that is not there any \
      more, in front of all that are left, it says that it was deleted on purpose, which the server cannot tell.
      """
  )

  @OptionGroup var options: LogOptions
  @Argument(help: "The partition.")
  var partition: Int
  @Argument(help: "The offset of the entry, as it stands in the error of the owner.")
  var offset: Int
  @Option(help: "Why, for those who read it later.")
  var because = "set aside by an operator"

  func run() async throws {
    try await options.withLog { try await $0.setAside(offset, of: partition, because: because) }
    print("\(options.log)/\(partition)/\(offset) is in the stream \(options.log)-poison")
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
