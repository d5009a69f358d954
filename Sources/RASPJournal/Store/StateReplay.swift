import Aggregate

/// A state of the past: a base and the events that are folded into it.
struct StateReplay<State: AggregateState> {
  private(set) var state: State
  /// The newest event that was folded.
  private(set) var event: Int
  /// That of the snapshot with which it begins; 0 for the state before the first event.
  private let base: Int

  /// - Parameters:
  ///   - snapshot: the base.
  ///   - initial: the base if there is no snapshot.
  init(from snapshot: SnapshotFile<State>?, or initial: State) {
    state = snapshot?.state ?? initial
    base = snapshot?.event ?? 0
    event = base
  }

  /// Folds an event, unless the base has it already. An older event may have become several with one number, or none.
  mutating func fold(_ stored: StoredEvent<State.Event>) {
    assert(stored.number >= event || stored.number <= base, "events are folded in another order")
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
}

extension JournalFolder {
  /// Reads the folder, and folds its events. Nothing is changed.
  ///
  /// - Parameters:
  ///   - cutsDamage: see ``Recovery``.
  ///   - poison: what becomes of events that the coding does not read.
  func restored<State>(
    startingWith initial: State,
    coding: RecordingCoding<State>,
    cutsDamage: Bool = false,
    onPoison poison: PoisonPolicy = .stop,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) -> (recovery: Recovery, state: State) {
    var recovery = try Recovery(of: self, cutsDamage: cutsDamage)
    var replay = StateReplay(from: try recovery.newestSnapshot(coding.states), or: initial)
    var decoder = ValueDecoder(coding.events)
    var skipped: [(event: Int, reason: CodingError)] = []
    let listing = recovery.listing
    try recovery.readSegments(progress: progress) {
      decoder = ValueDecoder(coding.events)
    } _: { (record) throws(FileFailure) in
      do throws(FileFailure) {
        try replay.fold(record, &decoder, coding.loops)
      } catch {
        guard case .value(let reason) = error.kind, let event = error.event,
          listing.passes(over: event, poison)
        else { throw error }
        skipped.append((event, reason))
      }
    }
    for (event, reason) in skipped { recovery.skip(event, reason) }
    return (recovery, replay.state)
  }
}

extension JournalFolder {
  /// The state at a place: the nearest snapshot before it, and the events from there on.
  ///
  /// - Parameter written: the newest event that is in the folder.
  func state<State>(
    at position: JournalPosition,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    onPoison poison: PoisonPolicy = .stop,
    written: Int
  ) throws(JournalError) -> State {
    if let event = position.event, event > written {
      throw .missing(folder: path, event: event, reason: "the newest event that was written is \(written)")
    }
    if let event = position.event, event <= 0 { return initial }
    let listing = try ownListing()
    let end = min(position.event ?? written, written)
    let time = position.time
    var newest = end
    while true {
      let base = try SnapshotFile.newest(atMost: newest, listing: listing, coding: coding.states, in: self) { _, _ in }
      var replay = StateReplay(from: base, or: initial)
      if replay.event >= end, position.event != nil { return replay.state }
      if written == 0 { return replay.state }
      let first = replay.event
      var isTooNew = false
      var cursor = try EventCursor(at: first, listing: listing, coding: coding.events, in: self)
      var hasPassed = false
      while !hasPassed {
        let goesOn = try cursor.readBatch(upTo: end, unreadable: { event, _ in listing.passes(over: event, poison) }) {
          stored in
          if stored.number > end || stored.time > time { hasPassed = true }
          // The snapshot has an event that is later than the date.
          if stored.number <= first, stored.time > time { isTooNew = true }
          if !hasPassed { replay.fold(stored) }
        }
        if !goesOn { break }
      }
      guard isTooNew else { return replay.state }
      newest = first - 1
    }
  }
}
