import Aggregate
import RASPSupport
import RASPTesting
import Streams

/// A recorder of one aggregator, as `FlightRecorder` is one: releasing it ends the recording.
final class TapeRecorder<State: AggregateState>: Sendable {
  private let tape: AggregatorTape<State>

  init(
    _ aggregator: Aggregator<State>,
    as name: String = "tape",
    last count: Int = 512,
    keepingBase: Bool = true,
    on time: VirtualScheduler = VirtualScheduler()
  ) {
    tape = AggregatorTape(of: aggregator, as: name, last: count, keepingBase: keepingBase, clock: TapeClock(time))
  }

  init<Key, Row>(
    _ aggregator: KeyedAggregator<Key, Row>,
    as name: String = "tape",
    last count: Int = 512,
    keepingBase: Bool = true,
    on time: VirtualScheduler = VirtualScheduler()
  ) where State == RecordedRows<Key, Row> {
    tape = AggregatorTape(of: aggregator, as: name, last: count, keepingBase: keepingBase, clock: TapeClock(time))
  }

  deinit { tape.end() }

  func recording<Key, Row>(of key: Key) -> Recording<Row>? where State == RecordedRows<Key, Row> {
    tape.recording(with: key).row(of: key)
  }

  var lane: Int { tape.lane }

  var recording: Recording<State> { tape.recording }
}
