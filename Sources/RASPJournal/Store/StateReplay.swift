import Aggregate
import RASPHistory

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
    try recovery.readSegments(progress: progress) {
      decoder = ValueDecoder(coding.events)
    } _: { (record) throws(FileFailure) in
      do throws(FileFailure) {
        try replay.fold(record, &decoder, coding.loops)
      } catch {
        guard case .value(let reason) = error.kind, let event = error.event, poison != .stop else { throw error }
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
    let listing = try ownListing()
    let end: Int
    switch position {
    case .event(let event) where event > written:
      throw .missing(folder: path, event: event, reason: "the newest event that was written is \(written)")
    case .event(let event): end = event
    case .date: end = try newestEvent(notAfter: position.time, listing, written: written)
    }
    if end <= 0 { return initial }
    let base = try SnapshotFile.newest(atMost: end, listing: listing, coding: coding.states, in: self) { _, _ in }
    var replay = StateReplay(from: base, or: initial)
    if replay.event == end { return replay.state }
    var cursor = try EventCursor(at: replay.event, listing: listing, coding: coding.events, in: self)
    while try cursor.readBatch(
      upTo: end,
      unreadable: { _, _ in poison != .stop },
      { stored in if stored.number <= end { replay.fold(stored) } }
    ) {}
    return replay.state
  }

  /// The newest event whose time is not later; the one before the first that is there if there is none. Times are what
  /// the clock said, in any order, so the last segments are read up to the one that has such an event.
  private func newestEvent(
    notAfter time: Duration,
    _ listing: FolderListing,
    written: Int
  ) throws(JournalError) -> Int {
    for segment in listing.segments.reversed() where segment <= written {
      var found: Int?
      var input = try openSegment(from: segment, for: segment)
      do throws(FileFailure) {
        while input.reader.header == nil || input.nextEvent <= written {
          let step = try input.read { (record) throws(FileFailure) in
            guard let event = try record.journalEvent(), event.number <= written, event.time <= time else { return }
            found = event.number
          }
          if case .sealed = step { break }
          if case .end = step { throw FileFailure(at: input.reader.offset, .endsEarly, event: input.nextEvent) }
        }
      } catch {
        throw JournalError(error, file: self.segment(from: segment))
      }
      if let found { return found }
    }
    return (listing.segments.first ?? 1) - 1
  }
}
