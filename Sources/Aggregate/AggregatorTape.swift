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

  package var lane: Int { cell.lane }

  package var name: String { cell.name }

  /// What has been recorded. From inside `apply` it has no events.
  package var recording: Recording<State> {
    core.recording(of: cell)
      ?? Recording(name: name, lane: lane, initial: nil, entries: [], state: core.snapshot())
  }

  /// Ends this use of the tape.
  package func end() { core.endRecording(onto: cell) }
}
