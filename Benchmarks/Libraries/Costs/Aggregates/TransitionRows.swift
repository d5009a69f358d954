import Aggregate
import CostRows
import Streams

/// Changes of fields with the events that made them.
let transitionRows: [CostRow] = [
  CostRow(
    "transitions",
    "Aggregator.transitions(of:)",
    should: 250,
    sizes: [1, 4, 16],
    of: "subscribers",
    note: "O(subscribers)"
  ) { size in
    pairs(count: size) { pairs, sink in pairs.transitions(of: \.a).subscribe { _ in sink.see(1) } }
  },
  CostRow(
    "transitions.unchanged",
    "transitions of an unchanged field",
    should: 200,
    sizes: [1, 4, 16],
    of: "subscribers",
    note: "O(subscribers)"
  ) { size in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let tokens = (0..<size).map { _ in pairs.transitions(of: \.b).subscribe { _ in sink.see(1) } }
    return { count in
      for number in 1...count { pairs.send(.a(number)) }
      precondition(sink.sum == 0)
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow("transitions.string", "transitions of a String", should: 400) { _ in
    let texts = ["a text that needs storage", "another text that needs storage"]
    return forms(watched: { forms, sink in [forms.transitions(of: \.name).subscribe { _ in sink.see(1) }] }) {
      .name(texts[$0 & 1])
    }
  },
  CostRow("transitions.by", "transitions(of: closure, by:)", should: 250) { _ in
    pairs(count: 1) { pairs, sink in
      pairs.transitions(of: { $0.a &* 2 }, by: { $0 == $1 }).subscribe { _ in sink.see(1) }
    }
  },
  CostRow("transitions.gone", "transitions were subscribed to once, and left; one selection", should: 190) { _ in
    let pairs = Pairs(initial: Pair())
    pairs.transitions(of: \.a).subscribe { _ in }.cancel()
    return select(pairs)
  },
]
