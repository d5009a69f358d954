import Aggregate
import Streams

/// The segments of a folder, one behind the other. At the end records are appended, written and synced; at the
/// beginning they are deleted, when a snapshot has them. It knows no types of values: a journal appends events, and a
/// log entries.
///
/// ```
///   1.events ──link──▶ 4.events ──link──▶ 7.events ◀── append
///   removeObsolete ▶   3.state            6.state
/// ```
///
/// After an error it is only closed: what a sync that has failed has written is not known.
@usableFromInline
package struct SegmentChain: ~Copyable {
  let folder: JournalFolder
  /// The newest event that was taken.
  package private(set) var newest: Int
  private(set) var syncs: SyncPlan
  private(set) var plan: SegmentPlan
  private(set) var listing: FolderListing
  let identity: UInt128
  let retention: JournalRetention

  let clock: JournalClock
  /// The last one is that of events that cannot be encoded.
  private let kinds: [TypeVersion]
  private var unwritable: [JournalError] = []
  private let description: RecordingDescription
  private var link: UInt32
  private var segment: SegmentOutput?
  /// The bytes of the events that were taken and not written.
  private var waitingBytes = 0
  /// The file that keeps other writers out; `nil` when it was given up.
  private var lock: Int32?

  /// Opens a folder, and makes it if it is not there. Other writers are kept out until the chain is abandoned or gone.
  ///
  /// - Parameters:
  ///   - kinds: the types and versions of the events that will be appended.
  ///   - description: the first record of each segment.
  ///   - restore: reads what is there.
  init(
    _ folder: JournalFolder,
    appending kinds: [TypeVersion],
    description: RecordingDescription,
    _ setup: JournalSetup,
    restore: () throws(JournalError) -> Recovery
  ) throws(JournalError) {
    let lock = try folder.open(waiting: setup.patience)
    let recovery: Recovery
    do throws(JournalError) {
      recovery = try restore()
      try folder.carryOut(recovery)
    } catch {
      try? folder.system.close(lock)
      throw error
    }
    self.folder = folder
    self.lock = lock
    self.kinds = kinds + [.unwritable]
    self.description = description
    retention = setup.retention
    clock = setup.clock
    listing = recovery.listing
    newest = recovery.report.event
    assert(newest >= recovery.report.snapshot, "a snapshot that is ahead of the events")
    identity = recovery.identity ?? setup.clock.stamp().identity
    link = recovery.link
    syncs = SyncPlan(setup.policy, at: newest)
    plan = setup.plan
    plan.noteSnapshot(size: recovery.snapshotSize)
    plan.noteEvents(newest - recovery.report.snapshot, bytes: recovery.snapshotSize)
  }

  deinit {
    if let lock { try? folder.system.close(lock) }
  }

  /// Closes the newest segment as it is, and lets other writers into the folder. It is the last call.
  package mutating func abandon() {
    segment = nil
    if let lock { try? folder.system.close(lock) }
    lock = nil
  }

  // MARK: Appending

  /// Takes the next event.
  ///
  /// One that cannot be encoded keeps its number, so that the events behind it have theirs, and nothing reads it.
  ///
  /// - Parameter time: microseconds since 1970, as the clock says, which may be ahead or go back.
  /// - Returns: `false` if the event cannot be encoded; see ``takeUnwritable()``.
  @inlinable
  mutating func append<Event: Sendable>(
    _ event: Event,
    cause: Cause,
    time: Int64,
    _ encoder: inout ValueEncoder<Event>
  ) throws(JournalError) -> Bool {
    let kind: Int
    do throws(CodingError) {
      kind = try encoder.encode(event)
    } catch {
      try appendUnwritable(error, cause: cause, time: time)
      return false
    }
    try append(encoder.payload, kind: kind, cause: cause, time: time)
    return true
  }

  @usableFromInline
  mutating func appendUnwritable(_ error: CodingError, cause: Cause, time: Int64) throws(JournalError) {
    var reason = ByteWriter()
    reason.append("\(error)")
    try append(reason, kind: kinds.count - 1, cause: cause, time: time)
    let file = listing.segments.last.map(folder.segment(from:)) ?? folder.path
    unwritable.append(.unwritable(file: file, event: newest, reason: error))
  }

  /// The events that could not be encoded since the last call.
  mutating func takeUnwritable() -> [JournalError] {
    defer { if !unwritable.isEmpty { unwritable = [] } }
    return unwritable
  }

  /// Takes the bytes of the next event.
  ///
  /// - Parameter kind: the place of its kind among those that the chain was opened with.
  @usableFromInline
  package mutating func append(
    _ payload: borrowing ByteWriter,
    kind: Int,
    cause: Cause,
    time: Int64
  ) throws(JournalError) {
    assert(lock != nil, "an event for a folder that was given up")
    if segment == nil { try begin() }
    assert(newest >= syncs.written && syncs.written >= syncs.durable, "events are written before they are taken")
    newest += 1
    try segment?.append(
      Record.Event(number: UInt64(newest), time: time, cause: CauseNumbers(cause)),
      kind: kind,
      payload: payload
    )
    plan.noteEvents(1, bytes: payload.count)
    // A record has more than its payload.
    waitingBytes += payload.count + 8
  }

  private mutating func begin() throws(JournalError) {
    assert(newest == syncs.durable, "a segment is begun before the one before it is on the medium")
    let header = FileHeader(
      content: .segment,
      salt: clock.stamp().salt,
      firstEvent: UInt64(newest) + 1,
      // Batches must not be older than the header, and the clock may go back.
      wallTime: 0,
      identity: identity,
      link: link
    )
    segment = try SegmentOutput(header, kinds: kinds, batchSize: plan.batchSize, in: folder)
    try segment?.begin(header, description)
    listing.addSegment(from: newest + 1)
  }

  /// Is `true` if as many bytes as a batch has wait to be written.
  var isBatchFull: Bool { waitingBytes >= plan.batchSize }

  // MARK: Writing

  /// Writes what was taken.
  package mutating func write() throws(JournalError) {
    guard newest > syncs.written else { return }
    try segment?.write()
    assert(segment != nil, "events without a segment")
    waitingBytes = 0
    syncs.noteWrite(upTo: newest, at: clock.now())
  }

  /// Syncs if it is time for that.
  package mutating func syncIfDue() throws(JournalError) {
    if let deadline = syncs.deadline, deadline <= clock.now() { try sync() }
  }

  /// The time until ``syncIfDue()`` has something to do; `nil` if it has nothing.
  package var timeToSync: Duration? { syncs.deadline.map { max(.zero, $0 - clock.now()) } }

  /// Returns when all that was written is on the medium.
  package mutating func sync() throws(JournalError) {
    guard syncs.durable < syncs.written else { return }
    try segment?.sync()
    syncs.noteSync()
    segment?.noteDurable(syncs.durable)
  }

  /// Ends the newest segment, if it is large enough.
  ///
  /// - Parameter isAtSnapshot: whether a snapshot of its last event has been made.
  package mutating func endSegmentIfDue(isAtSnapshot: Bool = false) throws(JournalError) {
    let size = segment?.size ?? 0
    if plan.endsSegment(size: size, isAtSnapshot: isAtSnapshot, retention: retention) { try endSegment() }
  }

  /// Ends the newest segment if it has more bytes than a snapshot, so that it can be deleted when snapshots have it.
  package mutating func endSegmentIfLargerThanSnapshot() throws(JournalError) {
    if retention != .everything, plan.isLargerThanSnapshot(segment?.size ?? 0) { try endSegment() }
  }

  /// Ends the newest segment: nothing in it can be torn then.
  package mutating func endSegment() throws(JournalError) {
    assert(newest == syncs.written, "a segment is ended before its events are written")
    try segment?.end()
    if let last = segment?.link { link = last }
    syncs.noteSync()
    segment = nil
  }

  /// Ends the newest segment, and leaves a file that says behind which event: nothing can be torn then, and a copy that
  /// has less is refused.
  package mutating func finish() throws(JournalError) {
    try sync()
    try endSegment()
    guard newest > listing.closed else { return }
    try folder.noteClosing(behind: newest)
    for event in listing.closings { try folder.remove(folder.closing(behind: event)) }
    listing.setClosing(behind: newest)
  }
}

extension SegmentChain {
  /// Makes a snapshot.
  ///
  /// - Parameters:
  ///   - event: the newest event that the state has. It is on the medium.
  ///   - isReadBack: whether a state that its coding does not read again is refused.
  package mutating func writeSnapshot<State>(
    of state: State,
    after event: Int,
    coding: Coding<State>,
    isReadBack: Bool
  ) throws(JournalError) {
    assert(event <= syncs.durable, "a snapshot that is ahead of the events")
    let now = clock.stamp()
    let stamp = FileStamp(salt: now.salt, wallTime: now.wallTime, identity: identity)
    let size = try SnapshotFile.write(
      state,
      after: event,
      coding: coding,
      isReadBack: isReadBack,
      stamp: stamp,
      in: folder
    )
    plan.noteSnapshot(size: size)
    listing.addSnapshot(after: event)
  }

  /// Notes that a snapshot could not be made.
  mutating func noteFailedSnapshot() { plan.noteFailedSnapshot() }

  /// Deletes what is not needed any more, file by file, so that a hole is never left between files.
  package mutating func removeObsolete() throws(JournalError) {
    let obsolete = retention.obsolete(in: listing, newest: newest)
    assert(listing.segments.last.map { !obsolete.segments.contains($0) } ?? true, "the newest segment is obsolete")
    for event in obsolete.snapshots {
      try folder.remove(folder.snapshot(after: event))
      listing.removeSnapshot(after: event)
    }
    for event in obsolete.segments {
      try folder.remove(folder.segment(from: event))
      listing.removeSegment(from: event)
    }
  }
}
