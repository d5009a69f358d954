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
