import Aggregate
import Streams

/// A domain with one large collection.
private struct InventoryState: AggregateState {
  struct Event: Sendable {
    let item: Int
    let amount: Int
  }

  var amounts: [Int: Int]

  mutating func apply(_ event: Event) {
    amounts[event.item] = event.amount
  }
}

extension Shape {
  /// Events that each change one entry of a dictionary, with a selection on how many entries there are. The same ten
  /// entries are changed however many there are, so that the memory that is touched is the same.
  static func dictionary(entries: Int) -> Shape {
    Shape(events: 50_000) { events in
      let tally = Tally()
      let amounts = Dictionary(uniqueKeysWithValues: (0..<entries).map { ($0, 0) })
      let aggregator = Aggregator(initial: InventoryState(amounts: amounts))
      let subscription = aggregator.select(\.amounts.count).subscribe { _ in tally.increment() }
      // The aggregator remembers its initial state, so the first event of all copies the dictionary, once.
      aggregator.send(InventoryState.Event(item: 0, amount: 0))
      return Run {
        for event in 1...events { aggregator.send(InventoryState.Event(item: event % 10, amount: event)) }
      } proofs: {
        [
          Proof("deliveries", tally.count, is: 1),
          Proof("last amount", aggregator.snapshot.amounts[events % 10] ?? 0, is: events),
          Proof("subscriptions", subscription.isActive ? 1 : 0, is: 1),
        ]
      }
    }
  }
}
