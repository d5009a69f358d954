/// Why a file could not be written or read. Its description names the file, the place and the remedy.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum JournalError: Error, Sendable, CustomStringConvertible {
  /// A call of the system has failed, with this value of `errno`. What was at the path before is as it was.
  case system(file: String, call: String, code: Int32)

  /// The file is no file of this library, or one with another content.
  case notARecording(file: String, reason: String)

  /// The file has a format of a later version of this library.
  case unsupportedFormat(file: String, format: Int)

  /// The file is whole, and a later version of this library has written something into it that must be understood.
  case laterVersion(file: String, reason: String)

  /// The file is not as it was written. Nothing of it is used.
  ///
  /// - Parameters:
  ///   - offset: where, in bytes from the beginning.
  ///   - event: the number of the first event that cannot be read; `nil` if the file has not begun.
  case damaged(file: String, offset: Int, event: Int?, reason: String)

  /// The file is whole, but a value in it could not be read.
  ///
  /// - Parameters:
  ///   - offset: where its bytes begin.
  ///   - event: the number of the event; `nil` for a state.
  case unreadable(file: String, offset: Int, event: Int?, reason: CodingError)

  /// A value could not be written, and nothing of it was. A journal goes on without it.
  ///
  /// - Parameter event: the number of the event; `nil` for a state.
  case unwritable(file: String, event: Int?, reason: CodingError)

  /// What was asked for is not possible with any folder: an option that makes no sense. Nothing was done.
  case refused(folder: String, reason: String)

  /// Another journal writes into the folder, in this process or in another one.
  case locked(folder: String)

  /// The events from this one on are needed and are not in the folder.
  case missing(folder: String, event: Int, reason: String)

  /// The disk was too slow, and the journal was made with ``JournalOverload/stop``. The events that waited are in it,
  /// and those after them are not.
  case overloaded(folder: String, waiting: Int)

  /// Another aggregator continues the journal.
  case inUse(folder: String)

  /// The journal was closed.
  case closed(folder: String)

  /// The task was cancelled before the events were on the medium.
  case cancelled(folder: String)

  /// Sentences in English, the last of them with the remedy.
  public var description: String {
    switch self {
    case .system(let file, let call, let code):
      "\(file): \(call) has failed: \(SystemError.words(for: code)) (\(code)).\(SystemError.remedy(for: code))"
    case .notARecording(let file, let reason):
      "\(file): \(reason)."
    case .unsupportedFormat(let file, let format):
      """
      \(file): the file has the format \(format), and this version of RASPJournal reads the format \
      \(FileFailure.format). Read it with the version that wrote it, or a later one.
      """
    case .laterVersion(let file, let reason):
      "\(file): the file was written by a later version of RASPJournal: \(reason). Read it with that version."
    case .damaged(let file, let offset, let event, let reason):
      """
      \(file): the file is damaged at offset \(offset)\(event.map { ", before event \($0)" } ?? ""): \(reason). \
      \(Self.remedy(forDamageOf: file))
      """
    case .unreadable(let file, let offset, let event, let reason):
      "\(file): \(Self.name(event)) at offset \(offset): \(reason)"
    case .unwritable(let file, let event, let reason):
      "\(file): \(Self.name(event)): \(reason) Nothing of it was written."
    case .refused(let folder, let reason):
      "\(folder): \(reason)"
    case .locked(let folder):
      "\(folder): another journal has the folder open. Close it, or end its process."
    case .missing(let folder, let event, let reason):
      "\(folder): event \(event) is needed, and \(reason)\(reason.hasSuffix(".") ? "" : ".")"
    case .overloaded(let folder, let waiting):
      """
      \(folder): the disk was too slow, so the journal has stopped. The \(waiting) events that waited are in it, \
      and those after them are not. Use a faster disk, a longer `SyncPolicy`, or the overload policy `wait`.
      """
    case .inUse(let folder):
      "\(folder): another aggregator continues the journal. Use that one, or open another folder."
    case .closed(let folder):
      "\(folder): the journal is closed. Open the folder again."
    case .cancelled(let folder):
      "\(folder): the task was cancelled before the events were on the medium. Flush again in another task."
    }
  }

  private static func remedy(forDamageOf file: String) -> String {
    file.hasSuffix(".events") || file.hasSuffix(".state")
      ? "Restore a copy of the folder, or cut off what is damaged, with all that is behind it, with `Journal.repair`."
      : "Use a copy of the file."
  }

  private static func name(_ event: Int?) -> String { event.map { "event \($0)" } ?? "the state" }
}

extension JournalError {
  /// Names the file in an error of the code that reads it.
  init(_ failure: FileFailure, file: String) {
    let reason: String
    switch failure.kind {
    case .notOurs:
      self = .notARecording(file: file, reason: "the file was not written by RASPJournal")
      return
    case .content(let content):
      self = .notARecording(file: file, reason: "the file has another content than a recording (\(content))")
      return
    case .format(let format):
      self = .unsupportedFormat(file: file, format: format)
      return
    case .value(let reason):
      self = .unreadable(file: file, offset: failure.offset, event: failure.event, reason: reason)
      return
    case .system(let error):
      self = .system(file: file, call: error.call, code: error.code)
      return
    case .later(let reason):
      self = .laterVersion(file: file, reason: reason)
      return
    case .endsEarly: reason = "it ends before it is complete"
    case .goesOn: reason = "bytes follow after its end"
    case .checksum: reason = "a checksum is wrong, so at least one bit was changed"
    case .salt: reason = "a batch of another file, or a changed bit"
    case .link: reason = "a batch is missing, doubled or in the wrong place, or a bit was changed"
    case .malformed(let words): reason = "the checksums are right, but \(words)"
    }
    self = .damaged(file: file, offset: failure.offset, event: failure.event, reason: reason)
  }

  /// Calls the file system, and names the file in its error.
  static func naming<Result>(
    _ file: String,
    _ body: () throws(SystemError) -> Result
  ) throws(JournalError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      throw .system(file: file, call: error.call, code: error.code)
    }
  }
}
