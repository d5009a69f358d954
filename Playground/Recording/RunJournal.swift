import Aggregate
import Foundation
import RASPJournal

/// The journal that a run goes on with and writes, if one was asked for.
struct RunJournal<State: AggregateState & Codable>: Sendable where State.Event: Codable {
  /// `nil` if no journal was asked for.
  private let journal: Journal<State>?

  /// Opens the folder, or makes it.
  ///
  /// - Parameter initial: the state before the first event. It must be the same each time.
  init(_ options: Options, startingWith initial: State) throws(RunFailure) {
    guard let path = options.journalPath else {
      journal = nil
      return
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    // A journal without an event has a lock.
    guard names.isEmpty || names == ["lock"] || names.contains(where: { $0.hasSuffix(".events") }) else {
      throw RunFailure(.noInput, "\(path.quoted) has other files than a journal; name an empty folder, or a journal")
    }
    do throws(JournalError) {
      // A run that was killed has the folder until it is gone.
      journal = try Journal(at: path, startingWith: initial, waiting: .seconds(2))
    } catch {
      throw RunFailure(error)
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
      throw RunFailure(error)
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
      return RunFailure(error)
    }
  }
}

extension RunFailure {
  /// What is wrong with a journal, and what can be done.
  fileprivate init(_ error: JournalError) {
    let (status, remedy): (ExitStatus, String) =
      switch error {
      case .locked: (.ioError, "end the program that has it open, or name another folder")
      case .unreadable, .unsupportedFormat, .laterVersion:
        (.noInput, "it may be the journal of another scenario or of another version of this one; name another folder")
      case .damaged, .notARecording, .missing: (.noInput, "bring back a copy of the folder, or name another one")
      case .system: (.ioError, "name a folder that you may write, in a folder that is there")
      case .unwritable, .refused, .overloaded, .inUse, .closed, .cancelled:
        (.ioError, "what was written before is in it")
      }
    var reason = "\(error)"
    // The remedy in the error is for those who write the program.
    if case .unreadable(let file, _, _, let problem) = error, case .unknown = problem.problem {
      reason = "\(file) has events of the kind \(problem.type)"
    }
    self.init(status, "the journal \(reason.trimmingCharacters(in: ["."])); \(remedy)")
  }
}
