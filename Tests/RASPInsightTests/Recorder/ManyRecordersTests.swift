import Aggregate
import RASPInsight
import TestSupport
import Testing

@Suite("An insight with many recorders")
struct ManyRecordersTests {
  private struct Meter: AggregateState {
    var value = 0
    mutating func apply(_ value: Int) { self.value = value }
  }

  @Test("REC-61: its lanes are those of the recorders that are kept, in the order in which they began")
  func lanes() {
    var random = SplitMix(seed: 61)
    for _ in 0..<rounds(200) {
      let insight = Insight()
      var kept: [(name: String, recorder: FlightRecorder<Meter>)] = []
      for number in 0..<Int.random(in: 1...150, using: &random) {
        let recorder = insight.record(Aggregator(initial: Meter()), as: "\(number)", last: 1)
        if Int.random(in: 0..<3, using: &random) == 0 { kept.append(("\(number)", recorder)) }
        if Int.random(in: 0..<5, using: &random) == 0, let index = kept.indices.randomElement(using: &random) {
          kept.remove(at: index)
        }
      }
      #expect(insight.timeline.lanes.map(\.name) == kept.map(\.name))
    }
  }
}
