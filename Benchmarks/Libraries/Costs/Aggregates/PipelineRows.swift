import Aggregate
import CostRows
import Streams

/// The way from a sensor to the views that show it.
let pipelineRows: [CostRow] = [
  CostRow("agg.pipeline", "subject, map, source, fold, three selections of which one changes", should: 250) { _ in
    let subjects = [Subject<Int, Never>(), Subject<Int, Never>()]
    let pairs = Pairs(
      initial: Pair(),
      sources: subjects[0].map(Pair.Event.a),
      subjects[1].map(Pair.Event.b)
    )
    let sink = Sink()
    let tokens = [
      pairs.select(\.a).subscribe { _ in sink.see(1) },
      pairs.select(\.b).subscribe { _ in sink.see(1) },
      pairs.select(\.c).subscribe { _ in sink.see(1) },
    ]
    let (first, second) = (subjects[0], subjects[1])
    return { count in
      let before = sink.sum
      first.send(-1)
      second.send(-1)
      for number in 1...count { if number & 1 == 0 { first.send(number) } else { second.send(number) } }
      precondition(sink.sum >= before + count)
      withExtendedLifetime((tokens, pairs)) {}
    }
  }
]
