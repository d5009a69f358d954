import Aggregate
import CostRows
import Streams

/// The beginning and the end of an aggregator.
let lifeRows: [CostRow] = [
  CostRow("agg.make", "make and release an Aggregator", should: 3_000, count: 64) { _ in
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(Pairs(initial: Pair())) }
      precondition(sink.sum >= count)
    }
  },
  CostRow("agg.finish", "make an Aggregator, one selection, finish()", should: 5_000, count: 64) { _ in
    let sink = Sink()
    return { count in
      let before = sink.sum
      for _ in 0..<count {
        let pairs = Pairs(initial: Pair())
        let token = pairs.select(\.a).subscribe { _ in } onEnd: { _ in sink.see(1) }
        pairs.finish()
        withExtendedLifetime(token) {}
      }
      precondition(sink.sum == before + count)
    }
  },
  CostRow("agg.make.source", "make an Aggregator with one source, and release it", should: 5_000, count: 64) { _ in
    let subject = Subject<Pair.Event, Never>()
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(Pairs(initial: Pair(), sources: subject.observable)) }
      precondition(subject.observerCount == 0)
    }
  },
]
