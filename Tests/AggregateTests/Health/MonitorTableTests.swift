import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Aggregate

@Suite("MonitorTable")
struct MonitorTableTests {
  @Test("It does what an array of monitors does in which each is looked for")
  func program() {
    let aggregator = Aggregator(initial: Tally())
    let source = SourceMonitor(SourceID(), of: aggregator.core)
    for seed in 0..<UInt64(rounds(2_000)) {
      var random = SplitMix(seed: seed)
      var table = MonitorTable()
      var model: [HealthMonitor] = []
      for _ in 0..<120 {
        let name = "\(Int.random(in: 0..<24, using: &random))"
        let place = model.firstIndex { $0.name == name }
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          let monitor = HealthMonitor(name, of: source.id, on: VirtualScheduler(), within: source) { _ in }
          table.put(monitor)
          if let place { model[place] = monitor } else { model.append(monitor) }
        case 1:
          guard let place else { continue }
          table.remove(model.remove(at: place))
        default:
          // One that has been replaced or removed is not found by its name any more, and is not taken out.
          table.remove(HealthMonitor(name, of: source.id, on: VirtualScheduler(), within: source) { _ in })
        }
        #expect(table[name] === model.first { $0.name == name })
        #expect(table.all.map { ObjectIdentifier($0) } == model.map { ObjectIdentifier($0) }, "seed \(seed)")
        #expect(table.healths.map(\.name) == model.map(\.name))
      }
    }
  }
}
