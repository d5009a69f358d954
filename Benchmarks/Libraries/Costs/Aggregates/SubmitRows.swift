import Aggregate
import CostRows
import Streams

let submitRows: [CostRow] = [
  .together("submit", "Aggregator.submit, no subscriber", should: 1_000) { _ in
    let pairs = Pairs(initial: Pair())
    return { count in
      for number in 0..<count {
        let fate = await pairs.submit(.a(number))
        precondition(fate == .folded)
      }
      precondition(pairs.snapshot.a == count - 1)
    }
  },
  .together("send.whenReady", "Aggregator.send(whenReady:), no subscriber", should: 1_000) { _ in
    let pairs = Pairs(initial: Pair())
    return { count in
      for number in 0..<count { await pairs.send(whenReady: .a(number)) }
      precondition(pairs.snapshot.a == count - 1)
    }
  },
  .together("submit.select", "Aggregator.submit, one selection", should: 1_000) { _ in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let token = pairs.select(\.a).subscribe { sink.see($0) }
    return { count in
      for number in 0..<count { await pairs.submit(.a(number)) }
      precondition(sink.sum > 0)
      withExtendedLifetime(token) {}
    }
  },
  .together("submit.refuse", "Aggregator.submit of a refused event", should: 1_000) { _ in
    let forms = Forms(initial: Form())
    return { count in
      var refused = 0
      for _ in 0..<count {
        do { try await forms.submit(.refused) } catch { refused += 1 }
      }
      precondition(refused == count)
    }
  },
]
