/// What is kept in files or in streams, as those see it who operate a program: without the types of its values.
///
/// A tool asks for it, and only reads its own command line: `rasp-files` over journals, logs in files and recordings,
/// and `Logs` in the package `JetStream` over logs on servers.
public protocol StoredHistory: Sendable {
  /// Which values are dumped.
  associatedtype Selection: Sendable
  /// Where a copy ends.
  associatedtype End: Sendable
  /// Why something cannot be read or written.
  associatedtype Failure: Error

  /// Writes a line for each part that is there.
  func list(_ write: (StoredLine) -> Void) async throws(Failure)

  /// Reads everything, compares its parts with each other, and writes a line for each problem.
  ///
  /// - Returns: a line about the whole; `nil` if there is a problem.
  func verify(_ write: (StoredLine) -> Void) async throws(Failure) -> StoredLine?

  /// Writes a line for each value of a selection.
  func dump(_ selection: Selection, _ write: (StoredLine) -> Void) async throws(Failure)

  /// Makes a copy that ends earlier. What is copied stays as it is.
  ///
  /// - Parameters:
  ///   - end: where the copy ends.
  ///   - copy: a path or a name at which there is nothing.
  /// - Returns: a line for each part of the copy.
  func cut(at end: End, to copy: String) async throws(Failure) -> [StoredLine]
}

extension StoredHistory {
  /// Writes the lines of ``dump(_:_:)`` into a new file, which only its owner can read.
  ///
  /// - Returns: how many lines there are.
  /// - Errors: those of ``dump(_:_:)``, and ``JournalError/system(file:call:code:)`` if the file is there already or
  ///   cannot be written. Then there is no new file: it would not have all that was asked for.
  public func export(_ selection: Selection, to path: String) async throws -> Int {
    let system = POSIXFileSystem()
    let file = try JournalError.naming(path) { () throws(SystemError) in try system.create(path) }
    // What was synced is on the disk, so closing it cannot lose anything.
    defer { try? system.close(file) }
    var (count, failure) = (0, SystemError?.none)
    do {
      try await dump(selection) { line in
        count += 1
        do throws(SystemError) {
          if failure == nil { try system.writeAll(Array("\(line.json)\n".utf8), to: file) }
        } catch {
          failure = error
        }
      }
      try JournalError.naming(path) { () throws(SystemError) in
        if let failure { throw failure }
        try system.sync(file)
      }
    } catch {
      try? system.remove(path)
      throw error
    }
    return count
  }
}
