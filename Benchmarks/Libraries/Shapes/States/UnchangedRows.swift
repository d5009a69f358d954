import Aggregate
import Streams

/// A list on a screen, and a field beside it.
private struct ListState: AggregateState {
  var ticks = 0
  var rows: [Int]

  mutating func apply(_ tick: Int) {
    ticks = tick
  }
}

extension Shape {
  /// Every row of a list selected below the list, and events that change another field, which is observed.
  static func unchangedRows(selected: Int) -> Shape {
    Shape("unchanged-rows-\(selected)", events: 100_000) { events in
      let tally = Tally()
      let aggregator = Aggregator(initial: ListState(rows: Array(0..<10_000)))
      let ticks = aggregator.select(\.ticks).subscribe { _ in tally.increment() }
      let rows = aggregator.select(\.rows)
      let subscriptions = (0..<selected).map { row in
        rows.select { $0[row] }.subscribe { _ in tally.increment() }
      }
      return Run {
        for event in 1...events { aggregator.send(event) }
      } proofs: {
        [
          Proof("deliveries", tally.count, is: events + 1 + selected),
          Proof("subscriptions", (subscriptions + [ticks]).count { $0.isActive }, is: selected + 1),
        ]
      }
    }
  }
}
