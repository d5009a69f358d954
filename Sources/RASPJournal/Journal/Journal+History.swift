import Aggregate
import RASPHistory
import RASPSupport

extension Journal {
  /// The state at a place in the history. It is folded from the files, beside what the aggregator does.
  ///
  /// ```swift
  /// let before = try journal.state(at: .event(1_204))
  /// let branch = Aggregator(initial: before)
  /// ```
  ///
  /// An event that was folded a moment ago may not have been written; call ``flush()`` before.
  ///
  /// - Concurrency: it blocks the thread until the events have been read.
  /// - Errors: ``JournalError/missing(folder:event:reason:)`` if the events up to there are not there yet, or not any
  ///   more.
  /// - Complexity: O(events) since the snapshot before the place. For a date, also O(events) from there to the newest
  ///   one, whose times are read.
  public func state(at position: JournalPosition) throws(JournalError) -> State {
    try folder.state(at: position, startingWith: initial, coding: coding, onPoison: poison, written: writtenCount)
  }

  /// The events behind a number as a sequence, also those that are written while it is read. It ends when the journal
  /// does, and does not keep the journal open.
  ///
  /// ```swift
  /// for try await entry in journal.events(after: 0) {
  ///   print(entry.number, entry.event)
  /// }
  /// ```
  ///
  /// The times of the entries count from 1970, as the clock said, which may have gone back. A cause is an identity of
  /// one process, so that of an event which an earlier one has written is unknown.
  ///
  /// - Concurrency: each step reads from a file, if events are there, and blocks the thread of the task meanwhile.
  /// - Errors: the sequence throws what is wrong with the files, what has ended the journal, and
  ///   ``JournalError/missing(folder:event:reason:)`` if the next event is not there any more.
  public func events(after number: Int) -> JournalEvents<State> {
    JournalEvents(
      after: number,
      of: coding.events,
      in: folder,
      progress: owner.writer.progress,
      onPoison: poison,
      openedAt: recovery.event
    )
  }
}

extension Journal where State: Equatable {
  /// Folds the events again and compares the states with the snapshots.
  ///
  /// They differ if the fold depends on something else than the events: a clock, a reference, or the order of a `Set`,
  /// which is another one in each process. They also do if the fold was changed and the version of the state was not.
  ///
  /// - Returns: the events behind which a snapshot has another state.
  /// - Concurrency: it blocks the thread until the events have been read.
  /// - Errors: what is wrong with the files, and ``JournalError/missing(folder:event:reason:)`` if the journal deletes
  ///   events meanwhile that were not read yet.
  /// - Complexity: O(events).
  public func verify() throws(JournalError) -> [Int] {
    let listing = try folder.ownListing()
    let written = writtenCount
    if written == 0 { return [] }
    var snapshots: [Int: State] = [:]
    // The thread of the journal may be behind that with what it says.
    for event in listing.snapshots where event <= written {
      // Those that cannot be read are not used, so there is nothing to compare.
      if let snapshot = try? SnapshotFile(after: event, coding: coding.states, in: folder) {
        snapshots[event] = snapshot.state
      }
    }
    guard let first = snapshots.keys.min() else { return [] }
    let oldest = listing.segments.first == 1 ? 0 : first
    let base = try SnapshotFile.newest(atMost: oldest, listing: listing, coding: coding.states, in: folder) { _, _ in }
    var replay = StateReplay(from: base, or: initial)
    var differing: [Int] = []
    func compare(behind event: Int) {
      guard let snapshot = snapshots.removeValue(forKey: event) else { return }
      if !isSame(snapshot, replay.state) { differing.append(event) }
    }
    var cursor = try EventCursor(at: replay.event, listing: listing, coding: coding.events, in: folder)
    var newest = replay.event
    while try cursor.readBatch(
      upTo: written,
      unreadable: { _, _ in poison != .stop },
      { stored in
        if stored.number > newest {
          // An event may have become several with one number, or none.
          for event in newest..<stored.number { compare(behind: event) }
          newest = stored.number
        }
        replay.fold(stored)
      }
    ) {}
    for event in snapshots.keys.sorted() where event >= newest { compare(behind: event) }
    return differing
  }
}
