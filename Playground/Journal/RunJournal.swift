import Aggregate
import Foundation
import RASPJournal

/// The journal that a run goes on with and writes, if one was asked for.
struct RunJournal<State: AggregateState & Codable>: Sendable where State.Event: Codable {
  /// `nil` if no journal was asked for.
  let journal: Journal<State>?

  private let path: String

  /// Opens the folder, or makes it.
  ///
  /// - Parameter initial: the state before the first event. It must be the same each time.
  init(_ options: Options, startingWith initial: State) throws(RunFailure) {
    path = options.journalPath ?? ""
    guard options.journalPath != nil else {
      journal = nil
      return
    }
    let contents = try JournalFolderContents(path)
    if contents == .other {
      throw RunFailure(
        .noInput,
        "\(path.quoted) has other files than a journal; name an empty folder, or one that --journal has written"
      )
    }
    do throws(JournalError) {
      journal = try Journal(at: path, startingWith: initial)
    } catch {
      throw RunFailure(error, status: .ioError)
    }
  }

  /// Whether there is something to go on with.
  var isContinued: Bool { journal.map { $0.recovery.event > 0 } ?? false }

  /// Calls `continuing` with the journal, or `beginning` if there is none.
  func make<Result>(
    continuing: (Journal<State>) throws(JournalError) -> Result,
    beginning: () -> Result
  ) throws(RunFailure) -> Result {
    guard let journal else { return beginning() }
    do throws(JournalError) {
      return try continuing(journal)
    } catch {
      throw RunFailure(error, status: .ioError)
    }
  }

  /// Writes what was folded, and ends the journal.
  ///
  /// - Returns: why it has not been written; `nil` if it has.
  func close() async -> RunFailure? {
    do throws(JournalError) {
      try await journal?.close()
      return nil
    } catch {
      return RunFailure(error, status: .ioError)
    }
  }
}

/// What is in a folder that is to be a journal.
enum JournalFolderContents: Equatable {
  /// It is not there, or has nothing.
  case nothing
  case journal
  case other

  /// - Errors: what is no folder, or cannot be read.
  init(_ path: String) throws(RunFailure) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      self = .nothing
      return
    }
    guard isFolder.boolValue else { throw RunFailure(.noInput, "\(path.quoted) is a file; name a folder") }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw RunFailure(
        .noInput,
        "cannot read \(path.quoted): \(error.localizedDescription); name a folder that you may read"
      )
    }
    // A journal without an event has a lock.
    let isJournal = names.contains { $0.hasSuffix(".events") } || names == ["lock"]
    self = names.isEmpty ? .nothing : isJournal ? .journal : .other
  }
}

extension RunFailure {
  /// What is wrong with a journal, and what can be done.
  ///
  /// - Parameter status: the status if a call of the system has failed, or the folder is locked.
  init(_ error: JournalError, status: ExitStatus) {
    let remedy: String
    var status = status
    switch error {
    case .locked: remedy = "end the program that has it open, or name another folder"
    case .damaged, .notARecording:
      status = .noInput
      remedy = "bring back a copy of the folder, or name another one"
    case .missing:
      status = .noInput
      remedy = "name a place that is there, or bring back the files that are missing"
    case .unreadable, .unsupportedFormat, .laterVersion:
      status = .noInput
      remedy = "it may be the journal of another scenario, or of another version of this one; name another folder"
    case .system: remedy = "name a folder that you may write, in a folder that is there"
    case .unwritable, .refused, .overloaded, .inUse, .closed, .cancelled: remedy = "what was written before is in it"
    }
    var reason = "\(error)"
    // The remedy in the error is for those who write the program.
    if case .unreadable(let file, _, _, let problem) = error, case .unknown = problem.problem {
      reason = "\(file) has events of the kind \(problem.type)"
    }
    self.init(status, "the journal \(reason.hasSuffix(".") ? String(reason.dropLast()) : reason); \(remedy)")
  }
}
