import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting

@testable import RASPHistory

extension TapeRecorder {
  convenience init<Key, Row>(
    _ aggregator: KeyedAggregator<Key, Row>,
    as name: String = "tape",
    last count: Int = 512,
    keepingBase: Bool = true,
    on time: VirtualScheduler = VirtualScheduler()
  ) where State == RecordedRows<Key, Row> {
    self.init(AggregatorTape(of: aggregator, as: name, last: count, keepingBase: keepingBase, clock: TapeClock(time)))
  }

  func recording<Key, Row>(of key: Key) -> Recording<Row>? where State == RecordedRows<Key, Row> {
    tape.recording(with: key).row(of: key)
  }
}
