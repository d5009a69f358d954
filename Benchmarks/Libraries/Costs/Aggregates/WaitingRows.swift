import Aggregate
import CostRows
import Streams

/// Events that wait, and what is read of them.
let waitingRows: [CostRow] = [
  CostRow("agg.reentrant", "Aggregator.send from inside a subscriber, per event", should: 250) { _ in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let token = pairs.select(\.a).subscribe { [unowned pairs] number in
      sink.see(1)
      if number > 0 { pairs.send(.a(number - 1)) }
    }
    return { count in
      let before = sink.sum
      pairs.send(.a(count))
      precondition(sink.sum == before + count + 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "agg.reentrant.subscribe",
    "Aggregator.send from inside a subscriber, begun while the subscription is made, per event",
    should: 250
  ) { _ in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    return { count in
      let before = sink.sum
      pairs.send(.a(count))
      let token = pairs.select(\.a).subscribe { [unowned pairs] number in
        sink.see(1)
        if number > 0 { pairs.send(.a(number - 1)) }
      }
      precondition(sink.sum == before + count + 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "agg.waiting",
    "one event whose subscriber sends so many (cost of all)",
    should: 500,
    count: 64,
    sizes: [1, 4, 16],
    of: "events",
    note: "O(events)"
  ) { size in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let token = pairs.select(\.a).subscribe { [unowned pairs] number in
      sink.see(1)
      if number >= 0 { for other in 1...size { pairs.send(.a(-other)) } }
    }
    return { count in
      let before = sink.sum
      for number in 0..<count { pairs.send(.a(number)) }
      precondition(sink.sum == before + count * (size + 1))
      withExtendedLifetime(token) {}
    }
  },
  CostRow("pendingCount.read", "Aggregator.pendingCount", should: 60) { _ in
    let pairs = Pairs(initial: Pair())
    pairs.send(.a(1))
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(pairs.pendingCount) }
      precondition(sink.sum == 0)
    }
  },
  CostRow("droppedCount.read", "Aggregator.droppedCount", should: 60) { _ in
    let pairs = Pairs(initial: Pair(), buffering: .newest(4))
    pairs.send(.a(1))
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(pairs.droppedCount) }
      precondition(sink.sum == 0)
    }
  },
]
