import Aggregate

/// A state of the past: a base and the events that are folded into it.
struct StateReplay<State: AggregateState> {
  private(set) var state: State
  /// The newest event that was folded.
  private(set) var event: Int
  /// The identity that all files must have; `nil` if the base is the initial state.
  let identity: UInt128?
  /// The bytes of the snapshot that it begins with.
  let snapshotSize: Int

  /// Folds an event, unless the base has it already. An older event may have become several with one number, or none.
  mutating func fold(_ stored: StoredEvent<State.Event>) {
    guard stored.number > base else { return }
    event = stored.number
    _ = state.fold(stored.event)
  }

  /// Does the same with the record of an event.
  mutating func fold(
    _ record: Record,
    _ decoder: inout ValueDecoder<State.Event>,
    _ loops: EventLoops<State>
  ) throws(FileFailure) {
    guard let number = try record.journalEvent()?.number, number > base else { return }
    try loops.fold(record, &decoder, &state)
    event = number
  }

  private let base: Int

  private init(_ state: State, after event: Int, identity: UInt128? = nil, snapshotSize: Int = 0) {
    self.state = state
    self.event = event
    self.identity = identity
    self.snapshotSize = snapshotSize
    base = event
  }
}

extension StateReplay {
  /// Chooses the newest base that can be used: a snapshot, else the state before the first event.
  ///
  /// - Parameters:
  ///   - newest: the newest event that may be in the base.
  ///   - ignored: gets why a snapshot could not be used.
  static func base(
    _ initial: State,
    atMost newest: Int = .max,
    listing: FolderListing,
    coding: Coding<State>,
    in folder: JournalFolder,
    ignored: (Int, JournalError) -> Void
  ) throws(JournalError) -> StateReplay {
    let first = listing.segments.first ?? 1
    var errors: [(event: Int, error: JournalError)] = []
    // An older version of the state is converted only if the events that led to it are gone.
    for readsOlder in first > 1 ? [false, true] : [false] {
      errors = []
      for event in listing.snapshots.reversed() where event <= newest {
        do throws(JournalError) {
          let snapshot = try SnapshotFile(
            after: event,
            coding: coding,
            readingOlder: readsOlder,
            in: folder
          )
          for (event, error) in errors { ignored(event, error) }
          return StateReplay(snapshot.state, after: event, identity: snapshot.identity, snapshotSize: snapshot.size)
        } catch {
          // A writer may just have deleted it.
          if case .system(_, _, let code) = error, code != SystemError.notThere { throw error }
          errors.append((event, error))
        }
      }
    }
    for (event, error) in errors { ignored(event, error) }
    if first == 1 { return StateReplay(initial, after: 0) }
    var reason = "the folder begins with event \(first), and has no snapshot"
    if newest < .max { reason += " before event \(newest)" }
    if let last = errors.last {
      reason += " that can be read: \(last.error)"
    } else if let oldest = listing.snapshots.first {
      reason += ". The oldest state that is there is that after event \(oldest)"
    }
    throw .missing(folder: folder.path, event: 1, reason: reason)
  }

  /// The segment to begin with: that of the newest event of the base, or of the event behind it.
  static func start(behind event: Int, in segments: [Int]) -> Int? {
    segments.lastIndex { $0 <= max(event, 1) }
  }
}
