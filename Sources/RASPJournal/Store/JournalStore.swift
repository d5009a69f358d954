import Aggregate
import Streams

/// The folder of a journal with its state, as one thread uses it: what is taken is written, synced and cleaned up in the
/// order of the calls.
///
/// After an error it is not used any more: what a sync that has failed has written is not known.
final class JournalStore<State: AggregateState> {
  /// The state after all events that were taken.
  private(set) var state: State
  let recovery: JournalRecovery

  private let coding: RecordingCoding<State>
  private let retention: JournalRetention
  /// `nil` when it has been given up.
  private var lock: Int32?
  private var tail: JournalTail
  private var encoder: ValueEncoder<State.Event>
  /// Why the newest snapshot could not be made.
  private(set) var snapshotFailure: JournalError?

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
    self.coding = coding
    self.retention = retention
    self.lock = lock
    self.recovery = recovery.report
    state = recovery.replay.state
    encoder = ValueEncoder(coding.events)
    var plan = plan
    plan.noteSnapshot(size: recovery.replay.snapshotSize)
    plan.noteEvents(recovery.report.event - recovery.report.snapshot, bytes: recovery.replay.snapshotSize)
    tail = JournalTail(
      folder,
      recovery.listing,
      newest: recovery.report.event,
      identity: recovery.identity,
      link: recovery.link,
      wallTime: recovery.wallTime,
      kinds: coding.events.kinds,
      description: RecordingDescription(name: TypeName.of(State.self), lane: lane, origin: 0),
      policy: policy,
      plan: plan,
      clock: clock
    )
  }

  deinit {
    if let lock { try? tail.folder.system.close(lock) }
  }

  /// Lets other writers into the folder. It is the last call.
  func abandon() {
    tail.abandon()
    if let lock { try? tail.folder.system.close(lock) }
    lock = nil
  }

  /// The newest event that was taken.
  var newest: Int { tail.newest }

  /// What is written, and what is on the medium.
  var syncs: SyncPlan { tail.syncs }

  /// Takes the next event, and folds it.
  ///
  /// - Parameter time: microseconds since 1970.
  /// - Errors: an event that cannot be encoded is not taken. Those before it are as they were.
  func append(_ event: State.Event, cause: Cause, time: Int64) throws(JournalError) {
    try tail.append(event, cause: cause, time: time, &encoder)
    _ = state.fold(event)
  }

  /// Takes the events that wait in a line, as with ``append(_:cause:time:)``.
  ///
  /// - Parameters:
  ///   - most: how many it takes at most.
  ///   - origin: what is to be added to the times of the line to get those since 1970, in nanoseconds.
  /// - Returns: the number of events.
  func take(_ most: Int, from outlet: TapeOutlet<State.Event>, origin: Int64) throws(JournalError) -> Int {
    try coding.loops.take(outlet, most, origin, &encoder, &state, &tail)
  }

  /// Is `true` if as much waits to be written as is written at once.
  var isBatchFull: Bool { tail.isBatchFull }

  /// Writes what was taken, and syncs, makes a snapshot and deletes what is not needed any more, if it is time for that.
  func write() throws(JournalError) {
    try tail.write()
    try tail.syncIfDue()
    if tail.plan.isSnapshotDue {
      try tail.sync()
      let isMade = try makeSnapshot()
      try tail.endSegmentIfDue(isAtSnapshot: isMade, retention)
      if isMade { try tail.removeObsolete(retention) }
    } else {
      try tail.endSegmentIfDue(isAtSnapshot: false, retention)
    }
  }

  /// Syncs if it is time for that.
  func syncIfDue() throws(JournalError) { try tail.syncIfDue() }

  /// The time until ``syncIfDue()`` has something to do; `nil` if it has nothing.
  var timeToSync: Duration? { tail.timeToSync }

  /// Returns when all that was written is on the medium.
  func sync() throws(JournalError) { try tail.sync() }

  /// Writes what was taken, and ends the newest segment: nothing can be torn then.
  func close() throws(JournalError) {
    if newest > syncs.written { try write() }
    try tail.sync()
    try tail.endSegment()
  }

  /// Keeps a state that the caller has folded, in the place of a snapshot, and deletes what is not needed any more.
  func keep(_ state: State, after event: Int) throws(JournalError) {
    // A snapshot is never ahead of the events.
    try tail.sync()
    // The caller may delete what led to it.
    try writeSnapshot(of: state, after: event, isReadBack: true)
    try tail.removeObsolete(retention)
  }

  /// Makes a snapshot of the present state.
  ///
  /// - Returns: `false` if the state cannot be written. The events lead to it, too, so they go on.
  private func makeSnapshot() throws(JournalError) -> Bool {
    do throws(JournalError) {
      // Only the snapshot tells the state when events are deleted.
      try writeSnapshot(of: state, after: newest, isReadBack: retention != .everything)
      snapshotFailure = nil
      return true
    } catch {
      guard case .unwritable = error else { throw error }
      tail.noteFailedSnapshot()
      snapshotFailure = error
      return false
    }
  }

  private func writeSnapshot(of state: State, after event: Int, isReadBack: Bool) throws(JournalError) {
    let size = try SnapshotFile.write(
      state,
      after: event,
      coding: coding.states,
      isReadBack: isReadBack,
      stamp: tail.stamp,
      in: tail.folder
    )
    tail.noteSnapshot(after: event, size: size)
  }
}
