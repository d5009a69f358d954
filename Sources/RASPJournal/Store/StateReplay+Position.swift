import Aggregate

extension JournalFolder {
  /// The state at a place: the nearest snapshot before it, and the events from there on.
  ///
  /// - Parameter written: the newest event that is in the folder.
  func state<State>(
    at position: JournalPosition,
    startingWith initial: State,
    coding: RecordingCoding<State>,
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
        let goesOn = try cursor.readBatch(upTo: end) { stored in
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
