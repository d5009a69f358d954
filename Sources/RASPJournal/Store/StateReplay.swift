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
  /// - Parameter cutsDamage: see ``Recovery``.
  func restored<State>(
    startingWith initial: State,
    coding: RecordingCoding<State>,
    cutsDamage: Bool = false,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) -> (recovery: Recovery, state: State) {
    var recovery = try Recovery(of: self, cutsDamage: cutsDamage)
    var replay = StateReplay(from: try recovery.newestSnapshot(coding.states), or: initial)
    var decoder = ValueDecoder(coding.events)
    try recovery.readSegments(progress: progress) { (record) throws(FileFailure) in
      try replay.fold(record, &decoder, coding.loops)
    }
    return (recovery, replay.state)
  }
}
