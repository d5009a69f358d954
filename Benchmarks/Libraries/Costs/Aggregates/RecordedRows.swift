import Aggregate
import CostRows
import Streams

/// What the tasks of senders and chains of aggregators cost beside.
let recordedRows: [CostRow] = [
  .together("select.inTask", "send inside a task, one selection", should: 200) { _ in
    let run = Running(select(Pairs(initial: Pair())))
    return { count in run.body(count) }
  },
  CostRow("agg.chain", "an aggregator feeds another by a selection, not recorded", should: 260) { _ in
    let first = Pairs(initial: Pair())
    let second = Pairs(initial: Pair(), sources: first.select(\.a).observable.map { Pair.Event.b($0) })
    return { count in
      for number in 0..<count { first.send(.a(number)) }
      precondition(second.snapshot.b == count - 1)
    }
  },
]

/// A repetition for a task. It runs in one task at a time.
private final class Running: @unchecked Sendable {
  let body: (Int) -> Void

  init(_ body: @escaping (Int) -> Void) {
    self.body = body
  }
}
