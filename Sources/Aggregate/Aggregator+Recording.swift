import RASPPrimitives
import RASPSupport
import Streams

/// The way to one recorded aggregator, which it does not keep alive.
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

  /// Begins to record, behind everything that was accepted.
  package init(
    of aggregator: Aggregator<State>,
    as name: String,
    last count: Int,
    keepingBase: Bool,
    clock: TapeClock
  ) {
    let core = aggregator.core
    let tape = core.record(as: name, last: count, keepingBase: keepingBase, clock: clock)
    let name = tape.events.name ?? name
    self.init(lane: tape.events.lane, name: name, clock: tape.events.clock) {
      core.report($0)
    } read: { _ in
      // From inside `apply`, the snapshot reports the mistake.
      tape.recording(as: name, of: core.state)
        ?? Recording(name: name, lane: tape.events.lane, initial: nil, entries: [], state: core.snapshot())
    } leave: {
      core.endRecording(onto: tape)
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

extension AggregatorCore {
  /// Begins to record, behind everything that was accepted. If events are recorded already, the tape is shared: it is
  /// made as long as the longest that was asked for, and keeps its name and clock. That of a journal has no name to
  /// keep.
  func record(as name: String, last count: Int, keepingBase: Bool, clock: TapeClock) -> StateTape<State> {
    let tape = sharedTape.withLock { shared in shared.begin { StateTape(Tape(as: name, clock: clock)) } }
    record(onto: tape, last: count, keepingBase: keepingBase)
    return tape
  }

  func record(onto tape: StateTape<State>, last count: Int, keepingBase: Bool) {
    queue.run { [self] shell, _ in
      // The owner changes it as it does in a fold, so that those who read see the tape and the state of one moment.
      let replaced = state.contents.pointee.folding.gate.change {
        tape.reserve(count, keeping: keepingBase ? state.pointer.pointee : nil)
      }
      withExtendedLifetime(replaced) {}
      // Two recorders that begin at once come here in any order. One that has been released meanwhile records nothing.
      let isUsed = sharedTape.withLock { $0.tape === tape }
      if isUsed, !shell.tree.hasEnded { shell.record(onto: tape) }
    }
  }

  /// Ends the use of a tape. The last recorder that leaves ends the recording.
  func endRecording(onto tape: StateTape<State>) {
    let isLast = sharedTape.withLock { $0.end(tape) }
    if isLast { queue.runWithoutDelivering { shell, _ in shell.endRecording(onto: tape) } }
  }
}
