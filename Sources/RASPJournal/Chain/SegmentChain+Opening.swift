extension SegmentChain {
  /// Opens a folder whose events are not folded. They are checked, and not decoded: those of a type that the coding
  /// does not read are refused, unless they may be skipped.
  ///
  /// - Parameter restored: gets the newest snapshot that can be used, and its event. It is not called if there is none.
  package init<Event, Snapshot>(
    _ folder: JournalFolder,
    events: Coding<Event>,
    snapshots: Coding<Snapshot>,
    _ setup: JournalSetup,
    restored: (_ snapshot: Snapshot, _ event: Int) -> Void
  ) throws(JournalError) {
    let description = RecordingDescription(name: snapshots.kinds[0].name, lane: 0, origin: 0)
    try self.init(folder, appending: events.kinds, description: description, setup) { () throws(JournalError) in
      try folder.recovery(events: events, snapshots: snapshots, onPoison: setup.poison, restored: restored)
    }
  }

  /// The newest event that was written.
  package var written: Int { syncs.written }

  /// The time of day, in microseconds since 1970.
  package var wallTime: Int64 { Int64(clamping: clock.wallTime() / 1_000) }
}

extension JournalFolder {
  /// Reads a folder whose events are not folded; see ``SegmentChain``. Nothing is changed.
  fileprivate func recovery<Event, Snapshot>(
    events: Coding<Event>,
    snapshots: Coding<Snapshot>,
    onPoison poison: PoisonPolicy,
    restored: (_ snapshot: Snapshot, _ event: Int) -> Void
  ) throws(JournalError) -> Recovery {
    var recovery = try Recovery(of: self)
    if let snapshot = try recovery.newestSnapshot(snapshots) { restored(snapshot.state, snapshot.event) }
    try recovery.readSegments(progress: { _ in }) { (record) throws(FileFailure) in
      guard poison == .stop, try record.journalEvent() != nil else { return }
      try events.checkReads(record)
    }
    return recovery
  }

  /// Reads a snapshot.
  package func snapshot<Snapshot>(
    after event: Int,
    coding: Coding<Snapshot>
  ) throws(JournalError) -> Snapshot {
    try SnapshotFile(after: event, coding: coding, in: self).state
  }
}
