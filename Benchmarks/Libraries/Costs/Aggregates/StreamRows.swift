import Aggregate
import CostRows
import Streams

/// All states and all events.
let streamRows: [CostRow] = [
  CostRow("events", "Aggregator.events, one subscriber (state may refuse)", should: 300) { _ in
    forms(watched: { forms, sink in [forms.events.subscribe { _ in sink.see(1) }] })
  },
  CostRow(
    "events.P",
    "Aggregator.events",
    should: 200,
    count: 512,
    sizes: [1, 4, 16],
    of: "subscribers",
    note: "O(subscribers)"
  ) { size in
    pairs(count: size) { pairs, sink in pairs.events.subscribe { _ in sink.see(1) } }
  },
  CostRow("snapshots.every", "an event while a display reads snapshots(every:), large state", should: 200) { _ in
    let large = Aggregator(initial: Large())
    let sink = Sink()
    let token = large.snapshots(every: .seconds(1_000)).subscribe { sink.see($0.a + 1) }
    return { count in
      for number in 1...count { large.send(.a(number)) }
      precondition(sink.sum > 0)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("states", "Aggregator.states, one subscriber (state may refuse)", should: 300) { _ in
    forms(watched: { forms, sink in [forms.states.subscribe { sink.see($0.a) }] })
  },
  CostRow(
    "states.P",
    "Aggregator.states",
    should: 200,
    count: 512,
    sizes: [1, 4, 16],
    of: "subscribers",
    note: "O(subscribers)"
  ) { size in
    pairs(count: size) { pairs, sink in pairs.states.subscribe { _ in sink.see(1) } }
  },
  CostRow("states.big", "Aggregator.states, large state", should: 400) { _ in
    let large = Aggregator(initial: Large())
    let sink = Sink()
    let token = large.states.subscribe { sink.see($0.a) }
    return { count in
      for number in 1...count { large.send(.a(number)) }
      precondition(sink.sum >= count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("events.gone", "events was subscribed to once, and left; one selection", should: 190) { _ in
    let pairs = Pairs(initial: Pair())
    pairs.events.subscribe { _ in }.cancel()
    return select(pairs)
  },
  CostRow("states.gone", "states was subscribed to once, and left; one selection", should: 190) { _ in
    let pairs = Pairs(initial: Pair())
    pairs.states.subscribe { _ in }.cancel()
    return select(pairs)
  },
  CostRow("events.select", "events and one selection are subscribed to", should: 300) { _ in
    let pairs = Pairs(initial: Pair())
    let token = pairs.events.subscribe { _ in }
    let send = select(pairs)
    return { count in
      send(count)
      withExtendedLifetime(token) {}
    }
  },
]

/// Sends numbers to an aggregator with subscribers that count the events.
func pairs(count size: Int, _ watch: (Pairs, Sink) -> Subscription) -> (Int) -> Void {
  let pairs = Pairs(initial: Pair())
  let sink = Sink()
  let tokens = (0..<size).map { _ in watch(pairs, sink) }
  return { count in
    let before = sink.sum
    pairs.send(.a(-1))
    for number in 1...count { pairs.send(.a(number)) }
    precondition(sink.sum == before + (count + 1) * size)
    withExtendedLifetime(tokens) {}
  }
}
