import Aggregate
import Counting
import RASPValues
import Streams

/// Rows in a state, and the values that a state has for it.
let collectionRows: [CountedRow] = [
  CountedRow("shelf.row", count: 4_096) {
    let shelf = Aggregator(initial: Shelf(2_560))
    let sink = Sink()
    let tokens = (0..<2_560).map { shelf.select(\.things, key: $0).subscribe { _ in sink.see(1) } }
    return { count in
      let before = sink.sum
      for _ in 0..<count { shelf.send(7) }
      precondition(sink.sum == before + count)
      withExtendedLifetime(tokens) {}
    }
  },
  CountedRow("window", count: 4_096) {
    let wind = Aggregator(initial: Wind())
    let clock = Sink()
    let sink = Sink()
    let token = wind.select { $0.window.max }.subscribe { _ in sink.see(1) }
    return { count in
      let before = sink.sum
      for _ in 0..<count {
        clock.see(1)
        wind.send(clock.sum)
      }
      precondition(sink.sum > before && wind.snapshot.window.count <= 160)
      withExtendedLifetime(token) {}
    }
  },
]

/// What was measured in the last 160 seconds.
private struct Wind: AggregateState {
  var window = RollingWindow<Double>(over: .seconds(160))

  mutating func apply(_ second: Int) {
    // Each value is the greatest for a while.
    window.insert(Double(second * 31 % 1_009), at: .seconds(second))
  }
}
