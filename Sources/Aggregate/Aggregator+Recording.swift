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
    let cell = core.record(as: name, last: count, keepingBase: keepingBase, clock: clock)
    let name = cell.name ?? name
    self.init(lane: cell.lane, name: name, clock: cell.clock) {
      core.report($0)
    } read: { _ in
      // From inside `apply`, the snapshot reports the mistake.
      core.recording(of: cell, as: name)
        ?? Recording(name: name, lane: cell.lane, initial: nil, entries: [], state: core.snapshot())
    } leave: {
      core.endRecording(onto: cell)
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
  func record(as name: String, last count: Int, keepingBase: Bool, clock: TapeClock) -> TapeCell {
    let cell = sharedTape.withLock { shared in
      shared.begin { TapeCell(of: StateTape<State>.self, as: name, clock: clock) }
    }
    record(onto: cell, last: count, keepingBase: keepingBase)
    return cell
  }

  func record(onto cell: TapeCell, last count: Int, keepingBase: Bool) {
    queue.run { [self] shell, _ in
      // The owner changes it as it does in a fold, so that those who read see the tape and the state of one moment.
      let tape = cell.tape(of: StateTape<State>.self)
      let contents = state.contents
      let replaced = contents.pointee.folding.gate.change {
        let tape = contents.pointee.folding.gate.changed(tape)
        return tape.pointee.reserve(count, keeping: keepingBase ? state.pointer.pointee : nil)
      }
      replaced?.deallocate()
      // Two recorders that begin at once come here in any order. One that has been released meanwhile records nothing.
      let isUsed = sharedTape.withLock { $0.tape === cell }
      if isUsed, !shell.tree.hasEnded { shell.record(onto: cell) }
    }
  }

  /// Ends the use of a tape. The last recorder that leaves ends the recording.
  func endRecording(onto cell: TapeCell) {
    let isLast = sharedTape.withLock { $0.end(cell) }
    if isLast { queue.runWithoutDelivering { shell, _ in shell.endRecording(onto: cell) } }
  }

  /// What is on a tape, with the present state; `nil` if this thread is inside `apply`.
  func recording(of cell: TapeCell, as name: String) -> Recording<State>? {
    let (tape, instant) = (cell.tape(of: StateTape<State>.self), cell.clock.now)
    return state.contents.pointee.folding.gate.read {
      tape.pointee.recording(as: name, state: state.pointer.pointee, at: instant)
    }
  }
}
