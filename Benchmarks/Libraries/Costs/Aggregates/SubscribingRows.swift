import Aggregate
import CostRows
import Streams

/// Subscribing to what an aggregator has, and cancelling.
let subscribingRows: [CostRow] = [
  CostRow(
    "select.subscribe.cancel",
    "subscribe to a selection that others have, and cancel",
    should: 2_000,
    count: 64,
    sizes: [1, 16, 256],
    of: "other subscribers"
  ) { size in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let selection = pairs.select(\.a)
    let others = (0..<size).map { _ in selection.subscribe { _ in } }
    return { count in
      let before = sink.sum
      for _ in 0..<count { selection.subscribe { _ in sink.see(1) }.cancel() }
      precondition(sink.sum == before + count)
      withExtendedLifetime((others, pairs)) {}
    }
  },
  CostRow(
    "select.subscribe.cancel.first",
    "subscribe to a selection that nobody has, and cancel",
    should: 2_000,
    count: 64
  ) { _ in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let selection = pairs.select(\.a)
    return { count in
      let before = sink.sum
      for _ in 0..<count { selection.subscribe { _ in sink.see(1) }.cancel() }
      precondition(sink.sum == before + count)
      withExtendedLifetime(pairs) {}
    }
  },
  CostRow(
    "select.subscribe.cancel.closure",
    "subscribe to a selection by a closure that nobody has, and cancel",
    should: 2_000,
    count: 64
  ) { _ in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    return { count in
      let before = sink.sum
      for _ in 0..<count { pairs.select { $0.a }.subscribe { _ in sink.see(1) }.cancel() }
      precondition(sink.sum == before + count)
    }
  },
  CostRow(
    "states.subscribe.cancel",
    "subscribe to states and cancel",
    should: 2_000,
    count: 64,
    sizes: [1, 16, 256],
    of: "other subscribers"
  ) { size in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let others = (0..<size).map { _ in pairs.states.subscribe { _ in } }
    return { count in
      let before = sink.sum
      for _ in 0..<count { pairs.states.subscribe { _ in sink.see(1) }.cancel() }
      precondition(sink.sum == before + count)
      withExtendedLifetime((others, pairs)) {}
    }
  },
  CostRow("events.subscribe.cancel", "subscribe to events and cancel", should: 2_000, count: 64) { _ in
    let pairs = Pairs(initial: Pair())
    return { count in
      for _ in 0..<count {
        let token = pairs.events.subscribe { _ in }
        precondition(token.isActive)
        token.cancel()
      }
    }
  },
  CostRow("transitions.subscribe.cancel", "subscribe to transitions and cancel", should: 2_000, count: 64) { _ in
    let pairs = Pairs(initial: Pair())
    return { count in
      for _ in 0..<count {
        let token = pairs.transitions(of: \.a).subscribe { _ in }
        precondition(token.isActive)
        token.cancel()
      }
    }
  },
]
