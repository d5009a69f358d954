import Aggregate
import CostRows
import Streams

let sendRows: [CostRow] = [
  CostRow("agg.send", "Aggregator.send, no subscriber (6-field state, may refuse)", should: 150) { _ in
    let forms = Forms(initial: Form())
    return { count in
      for number in 0..<count { forms.send(.a(number)) }
      precondition(forms.snapshot.a == count - 1)
    }
  },
  CostRow("agg.send.plain", "Aggregator.send, no subscriber (2-field state, cannot refuse)", should: 55) { _ in
    let pairs = Pairs(initial: Pair())
    return { count in
      for number in 0..<count { pairs.send(.a(number)) }
      precondition(pairs.snapshot.a == count - 1)
    }
  },
  CostRow("agg.send.big", "Aggregator.send, no subscriber (large state)", should: 55) { _ in
    let large = Aggregator(initial: Large())
    return { count in
      for number in 0..<count { large.send(.a(number)) }
      precondition(large.snapshot.a == count - 1)
    }
  },
  CostRow("agg.send.big.select", "Aggregator.send, one selection (large state)", should: 190) { _ in
    let large = Aggregator(initial: Large())
    let sink = Sink()
    let token = large.select(\.a).subscribe { sink.see($0) }
    return { count in
      for number in 1...count { large.send(.a(-number)) }
      precondition(sink.sum < -count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("agg.bounded", "Aggregator(buffering: .newest(100)).send, one selection", should: 190) { _ in
    let pairs = Pairs(initial: Pair(), buffering: .newest(100))
    return select(pairs)
  },
  CostRow(
    "agg.packet",
    "Aggregator.send(contentsOf:), no subscriber (cost of a packet)",
    should: 150,
    count: 512,
    sizes: [1, 4, 16],
    of: "events",
    note: "O(events): 67 each"
  ) { size in
    let pairs = Pairs(initial: Pair())
    let packet = (0..<size).map { Pair.Event.a($0) }
    return { count in
      for _ in 0..<count { pairs.send(contentsOf: packet) }
      precondition(pairs.snapshot.a == size - 1)
    }
  },
  CostRow(
    "agg.packet.select",
    "Aggregator.send(contentsOf:), one selection (cost of a packet)",
    should: 300,
    count: 512,
    sizes: [1, 4, 16],
    of: "events",
    note: "O(events): 209 each"
  ) { size in
    let pairs = Pairs(initial: Pair())
    let packets = [(1...size).map { Pair.Event.a($0) }, (1...size).map { Pair.Event.a(-$0) }]
    let sink = Sink()
    let token = pairs.select(\.a).subscribe { _ in sink.see(1) }
    return { count in
      let before = sink.sum
      for number in 1...count { pairs.send(contentsOf: packets[number & 1]) }
      precondition(sink.sum == before + count * size)
      withExtendedLifetime(token) {}
    }
  },
]

/// Sends numbers to an aggregator that has one selection.
func select(_ pairs: Pairs) -> (Int) -> Void {
  let sink = Sink()
  let token = pairs.select(\.a).subscribe { sink.see($0) }
  return { count in
    let before = sink.sum
    for number in 1...count { pairs.send(.a(number)) }
    precondition(sink.sum == before + count * (count + 1) / 2)
    withExtendedLifetime(token) {}
  }
}
