public import Aggregate

/// A journal that is only read, by any process: nothing is locked, made, repaired or cut. So it also reads a folder
/// that may not be written, one on a full disk, and one that another process writes.
///
/// ```swift
/// let journal = try JournalReader(at: folder, startingWith: GeoState())
/// print(journal.state, try journal.state(at: .event(1_204)))
/// ```
///
/// It has the events that were there when it was opened. What was being written then is left out, and damage is
/// refused, as a ``Journal`` does it.
///
/// - Concurrency: every member may be called from any thread.
public struct JournalReader<State: AggregateState>: Sendable {
  /// What was found. No byte was cut off: ``JournalRecovery/cutBytes`` counts those that were left out.
  public let recovery: JournalRecovery

  /// The state behind the newest event.
  public let state: State

  private let folder: JournalFolder
  private let initial: State
  private let coding: RecordingCoding<State>
  private let poison: PoisonPolicy

  /// Reads a folder, and folds its events.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - initial: the state before the first event.
  ///   - coding: how events and snapshots are read.
  ///   - poison: what becomes of an event that cannot be read.
  /// - Concurrency: it blocks the thread until the state is restored.
  /// - Errors: see ``JournalError``.
  /// - Complexity: O(events) since the newest snapshot.
  public init(
    at path: String,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    onPoison poison: PoisonPolicy = .stop
  ) throws(JournalError) {
    let folder = JournalFolder(path: path, system: POSIXFileSystem())
    try self.init(folder, startingWith: initial, coding: coding, onPoison: poison)
  }

  init(
    _ folder: JournalFolder,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    onPoison poison: PoisonPolicy = .stop
  ) throws(JournalError) {
    let folder = try folder.found()
    let (recovery, state) = try folder.whileUnchanged { () throws(JournalError) in
      try folder.restored(startingWith: initial, coding: coding, onPoison: poison)
    }
    (self.recovery, self.state) = (recovery.report, state)
    (self.folder, self.initial, self.coding, self.poison) = (folder, initial, coding, poison)
  }

  /// The state at a place in the history; see ``Journal/state(at:)``.
  ///
  /// - Concurrency: it blocks the thread until the events have been read.
  /// - Errors: ``JournalError/missing(folder:event:reason:)`` if the events up to there are not there, or not any more.
  /// - Complexity: as for ``Journal/state(at:)``.
  public func state(at position: JournalPosition) throws(JournalError) -> State {
    try folder.state(at: position, startingWith: initial, coding: coding, onPoison: poison, written: recovery.event)
  }

  /// The events behind a number, up to the newest one that was there when the folder was read.
  ///
  /// - Concurrency: each step reads from a file, and blocks the thread of the task meanwhile.
  /// - Errors: the sequence throws what is wrong with the files.
  public func events(after number: Int) -> JournalEvents<State> {
    let progress = JournalProgress(at: recovery.event)
    progress.end(nil)
    return JournalEvents(
      after: number,
      of: coding.events,
      in: folder,
      progress: progress,
      onPoison: poison,
      openedAt: recovery.event
    )
  }
}

extension JournalReader where State: Codable, State.Event: Codable {
  /// Reads a folder of JSON; see ``init(at:startingWith:coding:onPoison:)``.
  public init(
    at path: String,
    startingWith initial: State,
    onPoison poison: PoisonPolicy = .stop
  ) throws(JournalError) {
    try self.init(at: path, startingWith: initial, coding: .codable, onPoison: poison)
  }
}
