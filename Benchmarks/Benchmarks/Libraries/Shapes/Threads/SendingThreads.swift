import Aggregate
import RASPTesting
import Streams

/// A count, and its field to observe.
private struct CounterState: AggregateState {
  var count = 0
  var sum = 0

  mutating func apply(_ value: Int) {
    count += 1
    sum &+= value
  }
}

extension Shape {
  /// So many threads share the sending of the events.
  static func sendingThreads(_ threads: Int) -> Shape {
    Shape("sending-threads-\(threads)", events: 200_000) { events in
      let tally = Tally()
      let aggregator = Aggregator(initial: CounterState())
      let subscription = aggregator.select(\.count).subscribe { _ in tally.increment() }
      return Run {
        Threads.run(count: threads) { thread in
          var event = thread
          while event < events {
            aggregator.send(event)
            event += threads
          }
        }
      } proofs: {
        [
          Proof("deliveries", tally.count, is: events + 1),
          Proof("folded events", aggregator.snapshot.count, is: events),
          Proof("sum of the events", aggregator.snapshot.sum, is: events * (events - 1) / 2),
          Proof("subscriptions", subscription.isActive ? 1 : 0, is: 1),
        ]
      }
    }
  }
}
