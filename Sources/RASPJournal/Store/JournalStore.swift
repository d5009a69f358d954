import Aggregate
import RASPHistory
import Streams

/// The folder of a journal with its state, as one thread uses it: what is taken is written, synced and cleaned up in
/// the order of the calls.
///
/// After an error it is not used any more: what a sync that has failed has written is not known.
final class JournalStore<State: AggregateState> {
  /// The state after all events that were taken.
  private(set) var state: State
  let recovery: JournalRecovery

  private let coding: RecordingCoding<State>
  private var chain: SegmentChain
  private var encoder: ValueEncoder<State.Event>
  /// Why the newest snapshot could not be made.
  private(set) var snapshotFailure: JournalError?
  private var lostSnapshot: JournalError?

  /// Opens a folder, and makes it if it is not there.
  init(
    _ folder: JournalFolder,
    startingWith initial: State,
    coding: RecordingCoding<State>,
    _ setup: JournalSetup = JournalSetup(),
    lane: Int = 0,
    progress: (Int) -> Void = { _ in }
  ) throws(JournalError) {
    var (state, report) = (initial, JournalRecovery())
    let description = RecordingDescription(name: TypeName.of(State.self), lane: lane, origin: 0)
    chain = try SegmentChain(folder, appending: coding.events.kinds, description: description, setup) {
      () throws(JournalError) in
      let restored = try folder.restored(
        startingWith: initial,
        coding: coding,
        onPoison: setup.poison,
        progress: progress
      )
      (state, report) = (restored.state, restored.recovery.report)
      return restored.recovery
    }
    self.coding = coding
    self.state = state
    recovery = report
    encoder = ValueEncoder(coding.events)
  }

  /// Lets other writers into the folder. It is the last call.
  func abandon() { chain.abandon() }

  /// The newest event that was taken.
  var newest: Int { chain.newest }

  /// What is written, and what is on the medium.
  var syncs: SyncPlan { chain.syncs }

  /// Takes the next event, and folds it.
  ///
  /// - Parameter time: microseconds since 1970.
  /// An event that cannot be encoded keeps its number, and is left out of the state; see ``takeLosses()``.
  func append(_ event: State.Event, cause: Cause, time: Int64) throws(JournalError) {
    if try chain.append(event, cause: cause, time: time, &encoder) { _ = state.fold(event) }
  }

  /// What could not be written since the last call.
  func takeLosses() -> [JournalError] {
    defer { lostSnapshot = nil }
    return chain.takeUnwritable() + (lostSnapshot.map { [$0] } ?? [])
  }

  /// Takes the events that wait in a line, as with ``append(_:cause:time:)``.
  ///
  /// - Parameters:
  ///   - most: how many it takes at most.
  ///   - origin: what is to be added to the times of the line to get those since 1970, in nanoseconds.
  /// - Returns: the number of events.
  func take(_ most: Int, from channel: TapeChannel<State.Event>, origin: Int64) throws(JournalError) -> Int {
    let before = newest
    let count = try coding.loops.take(channel, most, origin, &encoder, &state, &chain)
    assert(count <= most && newest == before + count, "events that were folded and not appended")
    return count
  }

  /// Is `true` if as much waits to be written as is written at once.
  var isBatchFull: Bool { chain.isBatchFull }

  /// Writes what was taken, and syncs, makes a snapshot and deletes what is not needed any more, if it is time for
  /// that.
  func write() throws(JournalError) {
    try chain.write()
    assert(syncs.written == newest, "events that were taken are not written")
    try chain.syncIfDue()
    var isAtSnapshot = false
    if chain.plan.isSnapshotDue {
      try chain.sync()
      isAtSnapshot = try makeSnapshot()
    }
    try chain.endSegmentIfDue(isAtSnapshot: isAtSnapshot)
    if isAtSnapshot { try chain.removeObsolete() }
  }

  /// Syncs if it is time for that.
  func syncIfDue() throws(JournalError) { try chain.syncIfDue() }

  /// The time until ``syncIfDue()`` has something to do; `nil` if it has nothing.
  var timeToSync: Duration? { chain.timeToSync }

  /// Returns when all that was written is on the medium.
  func sync() throws(JournalError) { try chain.sync() }

  /// Writes what was taken, and ends the newest segment: nothing can be torn then.
  func close() throws(JournalError) {
    if newest > syncs.written { try write() }
    try chain.finish()
  }

  /// Makes a snapshot of the present state.
  ///
  /// - Returns: `false` if the state cannot be written. The events lead to it, too, so they go on.
  private func makeSnapshot() throws(JournalError) -> Bool {
    do throws(JournalError) {
      // Only the snapshot tells the state when events are deleted.
      let isReadBack = chain.retention != .everything
      try chain.writeSnapshot(of: state, after: newest, coding: coding.states, isReadBack: isReadBack)
      snapshotFailure = nil
      return true
    } catch {
      guard case .unwritable = error else { throw error }
      chain.noteFailedSnapshot()
      if snapshotFailure == nil { lostSnapshot = error }
      snapshotFailure = error
      return false
    }
  }
}
