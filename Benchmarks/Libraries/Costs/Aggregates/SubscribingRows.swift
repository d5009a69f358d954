import Aggregate
import CostRows
import Streams

/// Subscribing to what an aggregator has, and cancelling.
let subscribingRows: [CostRow] = [
  CostRow(
    "select.subscribe.cancel",
    "subscribe to a selection that others have, and cancel",
    should: 2_000,
    count: 512,
    sizes: [1, 4, 16],
    of: "other subscribers",
    note: "the token, its lifetime, the observer and what cancels are allocated"
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
    "subscribe to a selection without subscribers, and cancel",
    should: 2_500,
    count: 64,
    note:
      "makes the node of the selection, with a reader and memory for the field; the release of the node looks its type up once"
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
    "subscribe to a selection by a closure without subscribers, and cancel",
    should: 2_500,
    count: 64,
    note:
      "makes the selection and its node, with a reader and memory for the field; the release of the node looks its type up once"
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
    count: 512,
    sizes: [1, 4, 16],
    of: "other subscribers",
    note: "the token, its lifetime, two observers and what cancels are allocated"
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
  CostRow(
    "events.subscribe.cancel",
    "subscribe to events and cancel",
    should: 2_000,
    count: 64,
    note:
      "the token, its lifetime, two observers, the group and what cancels are allocated; the release of the group looks its type up once"
  ) { _ in
    let pairs = Pairs(initial: Pair())
    return { count in
      for _ in 0..<count {
        let token = pairs.events.subscribe { _ in }
        precondition(token.isActive)
        token.cancel()
      }
    }
  },
  CostRow(
    "transitions.subscribe.cancel",
    "subscribe to transitions and cancel",
    should: 2_500,
    count: 64,
    note:
      "the token, its lifetime, two observers, the group, the value that was sent last and what cancels are allocated; the release of the group looks its type up once"
  ) { _ in
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
