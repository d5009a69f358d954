import Aggregate
import Streams

/// A domain in which one field changes and the observed ones do not.
private struct CockpitState: AggregateState {
  var ticks = 0
  var heading = 0
  var speed = 0.0
  var satellites: Int?

  mutating func apply(_ tick: Int) {
    ticks = tick
  }
}

extension Shape {
  /// Observers on three fields, and events that change a fourth.
  static func unchangedFields(observers: Int) -> Shape {
    Shape(events: 100_000) { events in
      let tally = Tally()
      let aggregator = Aggregator(initial: CockpitState())
      let subscriptions = (0..<observers).map { observer in
        switch observer % 3 {
        case 0: aggregator.select(\.heading).subscribe { _ in tally.increment() }
        case 1: aggregator.select(\.speed).subscribe { _ in tally.increment() }
        default: aggregator.select(\.satellites).subscribe { _ in tally.increment() }
        }
      }
      return Run {
        for event in 1...events { aggregator.send(event) }
      } proofs: {
        [
          Proof("deliveries", tally.count, is: observers),
          Proof("ticks", aggregator.snapshot.ticks, is: events),
          Proof("subscriptions", subscriptions.count { $0.isActive }, is: observers),
        ]
      }
    }
  }
}
