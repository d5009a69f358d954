import Aggregate
import RASPHistory
import RASPTesting
import Streams

/// A recorder of one aggregator, as `FlightRecorder` is one: releasing it ends the recording.
package final class TapeRecorder<State: AggregateState>: Sendable {
  package let tape: AggregatorTape<State>

  package init(_ tape: AggregatorTape<State>) {
    self.tape = tape
  }

  package convenience init(
    _ aggregator: Aggregator<State>,
    as name: String = "tape",
    last count: Int = 512,
    keepingBase: Bool = true,
    on time: VirtualScheduler = VirtualScheduler()
  ) {
    self.init(AggregatorTape(of: aggregator, as: name, last: count, keepingBase: keepingBase, clock: TapeClock(time)))
  }

  deinit { tape.end() }

  package var lane: Int { tape.lane }

  package var recording: Recording<State> { tape.recording }
}
