import Aggregate
import Streams

/// The folder of a journal with its state, as one thread uses it: what is taken is written, synced and cleaned up in the
/// order of the calls.
///
/// After an error it is not used any more: what a sync that has failed has written is not known.
final class JournalStore<State: AggregateState> {
  private let folder: JournalFolder
  private let coding: RecordingCoding<State>
  private let retention: JournalRetention
  /// `nil` when it has been given up.
  private var lock: Int32?
  private let clock: JournalClock

  /// The state after all events that were taken.
  private(set) var state: State
  /// The newest event that was taken.
  private(set) var newest: Int
  private(set) var syncs: SyncPlan
  let recovery: JournalRecovery
  /// Why the newest snapshot could not be made.
  private(set) var snapshotFailure: JournalError?

  private var listing: FolderListing
  private var plan: SegmentPlan
  private var segment: SegmentOutput?
  private var events: ValueEncoder<State.Event>
  private let identity: UInt128
  private var link: UInt32
  /// Microseconds since 1970: times never go back in a journal.
  private var time: Int64
  private let description: RecordingDescription

  /// Opens a folder, and makes it if it is not there.
  init(
    _ folder: JournalFolder,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    policy: SyncPolicy = .eachBatch,
    retention: JournalRetention = .everything,
    plan: SegmentPlan = SegmentPlan(),
    clock: JournalClock = .system,
    lane: Int = 0,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) {
    let lock = try folder.open()
    let recovery: Recovery<State>
    do throws(JournalError) {
      recovery = try Recovery(of: folder, startingWith: initial, coding: coding, progress: progress)
      try folder.carryOut(recovery)
    } catch {
      try? folder.system.close(lock)
      throw error
    }
    self.folder = folder
    self.coding = coding
    self.retention = retention
    self.lock = lock
    self.clock = clock
    self.plan = plan
    self.recovery = recovery.report
    state = recovery.replay.state
    newest = recovery.report.event
    syncs = SyncPlan(policy, at: newest)
    listing = recovery.listing
    events = ValueEncoder(coding.events)
    identity = recovery.identity ?? clock.stamp().identity
    link = recovery.link
    time = Int64(clamping: recovery.wallTime / 1_000)
    description = RecordingDescription(name: TypeName.of(State.self), lane: lane, origin: 0)
    self.plan.noteSnapshot(size: recovery.replay.snapshotSize)
    self.plan.noteEvents(newest - recovery.report.snapshot, bytes: recovery.replay.snapshotSize)
  }

  deinit {
    if let lock { try? folder.system.close(lock) }
  }

  /// Lets other writers into the folder. It is the last call.
  func abandon() {
    segment = nil
    if let lock { try? folder.system.close(lock) }
    lock = nil
  }

  /// Takes the next event, and folds it.
  ///
  /// - Parameter time: microseconds since 1970.
  /// - Errors: an event that cannot be encoded is not taken. Those before it are as they were.
  func append(_ event: State.Event, cause: Cause, time: Int64) throws(JournalError) {
    let number = newest + 1
    let kind: Int
    do throws(CodingError) {
      kind = try events.encode(event)
    } catch {
      throw .unwritable(file: segment?.file ?? folder.path, event: number, reason: error)
    }
    if segment == nil { try begin() }
    self.time = max(self.time, time)
    try segment?.append(
      Record.Event(number: UInt64(number), time: self.time, cause: CauseNumbers(cause)),
      kind: kind,
      payload: events.payload.bytes
    )
    plan.noteEvents(1, bytes: events.payload.count)
    newest = number
    _ = state.fold(event)
  }

  /// Writes what was taken, and syncs, makes a snapshot and deletes what is not needed any more, if it is time for that.
  func write() throws(JournalError) {
    if newest > syncs.written {
      try segment?.write()
      syncs.noteWrite(upTo: newest, at: clock.now())
    }
    try syncIfDue()
    if plan.isSnapshotDue {
      try sync()
      let isMade = try makeSnapshot()
      try endSegmentIfDue(isAtSnapshot: isMade)
      if isMade { try removeObsolete() }
    } else {
      try endSegmentIfDue(isAtSnapshot: false)
    }
  }

  /// Syncs if it is time for that.
  func syncIfDue() throws(JournalError) {
    if let deadline = syncs.deadline, deadline <= clock.now() { try sync() }
  }

  /// The time until ``syncIfDue()`` has something to do; `nil` if it has nothing.
  var timeToSync: Duration? { syncs.deadline.map { max(.zero, $0 - clock.now()) } }

  /// Returns when all that was written is on the medium.
  func sync() throws(JournalError) {
    guard syncs.durable < syncs.written else { return }
    try segment?.sync()
    syncs.noteSync()
    segment?.noteDurable(syncs.durable)
  }

  /// Writes what was taken, and ends the newest segment: nothing can be torn then.
  func close() throws(JournalError) {
    if newest > syncs.written { try write() }
    try sync()
    try endSegment()
  }

  private func begin() throws(JournalError) {
    let stamp = clock.stamp()
    let header = FileHeader(
      content: .segment,
      salt: stamp.salt,
      firstEvent: UInt64(newest) + 1,
      // Batches are not older than the header.
      wallTime: UInt64(clamping: time) * 1_000,
      identity: identity,
      link: link
    )
    segment = try .begin(
      header,
      kinds: coding.events.kinds,
      description: description,
      batchSize: plan.batchSize,
      in: folder
    )
    listing.addSegment(from: newest + 1)
  }

  private func endSegmentIfDue(isAtSnapshot: Bool) throws(JournalError) {
    let size = segment?.size ?? 0
    if plan.endsSegment(size: size, isAtSnapshot: isAtSnapshot, retention: retention) { try endSegment() }
  }

  private func endSegment() throws(JournalError) {
    try segment?.end()
    if let last = segment?.link { link = last }
    syncs.noteSync()
    segment = nil
  }

  /// - Returns: `false` if the state cannot be written. The events lead to it, too, so they go on.
  private func makeSnapshot() throws(JournalError) -> Bool {
    let stamp = clock.stamp()
    do throws(JournalError) {
      let size = try SnapshotFile.write(
        state,
        after: newest,
        coding: coding.states,
        // Only the snapshot tells the state when events are deleted.
        isReadBack: retention != .everything,
        stamp: FileStamp(salt: stamp.salt, wallTime: UInt64(clamping: time) * 1_000, identity: identity),
        in: folder
      )
      plan.noteSnapshot(size: size)
      listing.addSnapshot(after: newest)
      snapshotFailure = nil
      return true
    } catch {
      guard case .unwritable = error else { throw error }
      plan.noteFailedSnapshot()
      snapshotFailure = error
      return false
    }
  }

  /// Deletes file by file, so that a hole is never left between files.
  private func removeObsolete() throws(JournalError) {
    let obsolete = retention.obsolete(in: listing, newest: newest)
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
