import Streams

/// The way to one recorded aggregator, which it does not keep alive.
package struct AggregatorTape<State: AggregateState>: Sendable {
  private let core: AggregatorCore<State>
  private let cell: TapeCell<State>

  /// Begins to record, behind everything that was accepted.
  package init(
    of aggregator: Aggregator<State>,
    as name: String,
    last count: Int,
    keepingBase: Bool,
    clock: TapeClock
  ) {
    core = aggregator.core
    cell = core.record(as: name, last: count, keepingBase: keepingBase, clock: clock)
  }

  /// The number of its lane.
  package var lane: Int { cell.lane }

  /// The name of its lane.
  package var name: String { cell.name }

  /// What has been recorded. From inside `apply` it has no events.
  package var recording: Recording<State> {
    guard let recording = core.recording(of: cell) else {
      // The snapshot reports the mistake.
      return Recording(name: name, lane: lane, initial: nil, entries: [], state: core.snapshot())
    }
    #if DEBUG
      if recording.hasImpureFold { core.report(.impureApply) }
    #endif
    return recording
  }

  /// Ends this use of the tape.
  package func end() { core.endRecording(onto: cell) }
}

extension AggregatorCore {
  /// Begins to record, behind everything that was accepted. If events are recorded already, the tape is shared: it is made
  /// as long as the longest that was asked for, and keeps its name and clock.
  func record(as name: String, last count: Int, keepingBase: Bool, clock: TapeClock) -> TapeCell<State> {
    let cell = tapeUse.withLock { use -> TapeCell<State> in
      if var present = use {
        present.recorders += 1
        use = present
        return present.cell
      }
      let cell = TapeCell<State>(lane: CauseLanes.next(), name: name, clock: clock)
      use = TapeUse(cell: cell)
      return cell
    }
    ThreadCause.addRecorder()
    record(onto: cell, last: count, keepingBase: keepingBase)
    return cell
  }

  func record(onto cell: TapeCell<State>, last count: Int, keepingBase: Bool) {
    queue.run { [self] shell, access in
      // The owner changes it as it does in a fold, so that those who read see the tape and the state of one moment.
      access.claim()
      let replaced = cell.tape.pointee.reserve(count, keeping: keepingBase ? state.contents.pointee.state : nil)
      access.lend()
      replaced?.deallocate()
      // Two recorders that begin at once come here in any order. One that has been released meanwhile records nothing.
      let isUsed = tapeUse.withLock { $0?.cell === cell }
      if isUsed, !shell.tree.hasEnded { shell.record(onto: cell) }
    }
  }

  /// Ends the use of a tape. The last recorder that leaves ends the recording.
  func endRecording(onto cell: TapeCell<State>) {
    ThreadCause.removeRecorder()
    let isLast = tapeUse.withLock { use -> Bool in
      guard var present = use, present.cell === cell else { return false }
      present.recorders -= 1
      use = present.recorders == 0 ? nil : present
      return present.recorders == 0
    }
    guard isLast else { return }
    queue.maintain { shell, access in shell.endRecording(onto: cell) }
  }

  /// What is on a tape, with the present state; `nil` if this thread is inside `apply`.
  func recording(of cell: TapeCell<State>) -> Recording<State>? {
    let instant = cell.clock.exactNow
    return queue.read {
      state.contents.pointee.phase.load(ordering: .relaxed) == StateReference<State>.changing
    } _: {
      cell.tape.pointee.recording(as: cell.name, state: state.contents.pointee.state, at: instant)
    }
  }
}
