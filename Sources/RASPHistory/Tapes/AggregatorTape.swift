import Aggregate
import Streams

/// The way to one recorded aggregator, which it does not keep alive.
@usableFromInline
package struct AggregatorTape<State: AggregateState>: Sendable {
  /// The number of its lane.
  package let lane: Int
  /// The name of its lane.
  package let name: String
  private let clock: TapeClock
  private let report: @Sendable (AggregatorDiagnostic) -> Void
  private let read: @Sendable (_ row: (any Sendable)?) -> Recording<State>
  private let leave: @Sendable () -> Void

  /// - Parameters:
  ///   - report: reports a mistake that the recording shows.
  ///   - read: takes what has been recorded; of rows, also the row of a key that no event concerns.
  ///   - leave: ends this use of the tape.
  package init(
    lane: Int,
    name: String,
    clock: TapeClock,
    report: @escaping @Sendable (AggregatorDiagnostic) -> Void,
    read: @escaping @Sendable (_ row: (any Sendable)?) -> Recording<State>,
    leave: @escaping @Sendable () -> Void
  ) {
    self.lane = lane
    self.name = name
    self.clock = clock
    self.report = report
    self.read = read
    self.leave = leave
  }

  /// Begins to record, behind everything that was accepted. If events are recorded already, the tape is shared: it is
  /// made as long as the longest that was asked for, and keeps its name and clock. That of a journal has no name to
  /// keep.
  @inlinable
  package init(
    of aggregator: Aggregator<State>,
    as name: String,
    last count: Int,
    keepingBase: Bool,
    clock: TapeClock
  ) {
    // The closure is made where the type of the state is known.
    self.init(of: aggregator.core, as: name, last: count, keepingBase: keepingBase, clock: clock) { $0.hook }
  }

  @usableFromInline
  init(
    of core: AggregatorCore<State>,
    as name: String,
    last count: Int,
    keepingBase: Bool,
    clock: TapeClock,
    hooking: (StateTape<State>) -> AggregatorCore<State>.Hook
  ) {
    let hook = core.recording.withLock { $0.begin { hooking(StateTape(Tape(as: name, clock: clock))) } }
    let tape = hook.recorder(as: StateTape<State>.self)
    core.begin(hook) { tape.reserve(count, keeping: keepingBase ? core.ownState.pointee : nil) }
    let name = tape.events.name ?? name
    self.init(lane: tape.events.lane, name: name, clock: tape.events.clock) {
      core.report($0)
    } read: { _ in
      // From inside `apply`, the snapshot reports the mistake.
      tape.recording(as: name, of: core)
        ?? Recording(name: name, lane: tape.events.lane, initial: nil, entries: [], state: core.snapshot())
    } leave: {
      core.leave(hook)
    }
  }

  /// What has been recorded. From inside `apply` it has no events.
  package var recording: Recording<State> { recording(withRow: nil) }

  /// What has been recorded.
  ///
  /// - Parameter row: the key of a row that is wanted, also if no event concerns it; `nil` if the state has no rows.
  package func recording(withRow row: (any Sendable)?) -> Recording<State> {
    var recording = read(row)
    #if DEBUG
      if recording.hasImpureFold { report(.impureApply) }
    #endif
    recording.clockOrigin = clock.wallOrigin
    return recording
  }

  /// Ends this use of the tape.
  package func end() { leave() }
}

extension RecordedCore {
  /// Ends one use of a hook. The last recorder that leaves ends the recording.
  func leave(_ hook: RecordingHook<Item, Garbage>) {
    if recording.withLock({ $0.end(hook) }) { end(hook) }
  }
}
