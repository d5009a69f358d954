import Aggregate
import CostRows
import Streams

/// Parts of a state.
let scopeRows: [CostRow] = [
  CostRow("scope.send", "scope.send, no subscriber", should: 100) { _ in
    let whole = Aggregator(initial: Whole())
    let scope = whole.scope(\.part, sending: Whole.Event.part)
    return { count in
      for number in 0..<count { scope.send(number) }
      precondition(whole.snapshot.part.x == count - 1)
    }
  },
  CostRow("scope.send.select", "scope.send, one selection of the scope", should: 250) { _ in
    let whole = Aggregator(initial: Whole())
    let scope = whole.scope(\.part, sending: Whole.Event.part)
    let sink = Sink()
    let token = scope.select(\.x).subscribe { sink.see($0) }
    return { count in
      for number in 1...count { scope.send(number) }
      precondition(sink.sum > 0)
      withExtendedLifetime((token, whole)) {}
    }
  },
  CostRow("scope.snapshot", "scope.snapshot", should: 60) { _ in
    let whole = Aggregator(initial: Whole())
    let scope = whole.scope(\.part, sending: Whole.Event.part)
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(scope.snapshot.x &+ 1) }
      precondition(sink.sum >= count)
      withExtendedLifetime(whole) {}
    }
  },
  CostRow("scope.snapshot.big", "scope.snapshot (large state)", should: 100) { _ in
    let large = Aggregator(initial: Large())
    let scope = large.scope(\.first, sending: { (number: Int) in .a(number) })
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(scope.snapshot.values.0 &+ 1) }
      precondition(sink.sum >= count)
      withExtendedLifetime(large) {}
    }
  },
  CostRow("scope.current", "scope.select(\\.x).current, selection kept", should: 60) { _ in
    let whole = Aggregator(initial: Whole())
    let selection = whole.scope(\.part, sending: Whole.Event.part).select(\.x)
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(selection.current &+ 1) }
      precondition(sink.sum >= count)
      withExtendedLifetime(whole) {}
    }
  },
]
