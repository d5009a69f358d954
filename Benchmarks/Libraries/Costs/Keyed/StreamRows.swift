import Aggregate
import CostRows
import Streams

/// The streams of all events and of all changes.
let streamRows: [CostRow] = [
  CostRow("k.changes", "changes", should: 300, sizes: [10, 300, 10_000], of: "rows") { size in
    watched(things(size)) { things, sink in things.changes.subscribe { _ in sink.see(1) } }
  },
  CostRow("k.changes.shards", "changes", should: 300, sizes: [1, 4, 16], of: "shards") { size in
    watched(things(300, shards: size)) { things, sink in things.changes.subscribe { _ in sink.see(1) } }
  },
  CostRow("k.events", "KeyedAggregator.events", should: 300, sizes: [10, 300, 10_000], of: "rows") { size in
    watched(things(size)) { things, sink in things.events.subscribe { _ in sink.see(1) } }
  },
  CostRow("k.streams.gone", "an event when changes and events have been left", should: 190) { _ in
    let things = things(300)
    things.changes.subscribe { _ in }.cancel()
    things.events.subscribe { _ in }.cancel()
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow(
    "k.changes.subscribe",
    "subscribe to changes and cancel",
    should: 3_000,
    count: 64,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(rows): a newcomer gets each of them"
  ) { size in
    let things = things(size)
    let sink = Sink()
    return { count in
      let before = sink.sum
      for _ in 0..<count { things.changes.subscribe { _ in sink.see(1) }.cancel() }
      precondition(sink.sum == before + count * size)
    }
  },
]

private func watched(_ things: Things, _ watch: (Things, Sink) -> Subscription) -> (Int) -> Void {
  let sink = Sink()
  let token = watch(things, sink)
  return { count in
    let before = sink.sum
    for number in 0..<count { things.send(Tick(5, number)) }
    precondition(sink.sum == before + count)
    withExtendedLifetime(token) {}
  }
}
