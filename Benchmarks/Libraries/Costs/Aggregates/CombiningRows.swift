import Aggregate
import CostRows
import Streams

/// Selectors that derive a field from others.
let combiningRows: [CostRow] = [
  CostRow("select.combining.1", "StateSelector(combining: 1)", should: 190) { _ in
    let selector = StateSelector(combining: StateSelector(\Pair.a)) { $0 &+ 1 }
    return combined(selector)
  },
  CostRow("select.combining.2", "StateSelector(combining: 2), one changes", should: 190) { _ in
    let selector = StateSelector(combining: StateSelector(\Pair.a), StateSelector(\Pair.b)) { $0 &+ $1 }
    return combined(selector)
  },
  CostRow("select.combining.2.unchanged", "StateSelector(combining: 2), none changes", should: 190) { _ in
    let pairs = Pairs(initial: Pair())
    let selector = StateSelector(combining: StateSelector { (pair: Pair) in pair.a < 0 }, StateSelector(\Pair.b)) {
      $0 ? $1 : 0
    }
    let sink = Sink()
    let token = pairs.select(selector).subscribe { _ in sink.see(1) }
    return { count in
      for number in 1...count { pairs.send(.a(number)) }
      precondition(sink.sum == 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("select.combining.4", "StateSelector(combining: 4), one changes", should: 190) { _ in
    let selector = StateSelector(
      combining: StateSelector(\Pair.a),
      StateSelector(\Pair.b),
      StateSelector { (pair: Pair) in pair.a & 7 },
      StateSelector { (pair: Pair) in pair.b & 7 }
    ) { $0 &+ $1 &+ $2 &+ $3 }
    return combined(selector)
  },
  CostRow(
    "select.combining.strings",
    "StateSelector(combining: String, array), one changes",
    should: 300,
    note: "one allocation: the selector keeps the array, so the event copies it"
  ) { _ in
    let selector = StateSelector(combining: StateSelector(\Form.name), StateSelector(\Form.list)) {
      $0.utf8.count &+ $1[1]
    }
    return forms(watched: { forms, sink in [forms.select(selector).subscribe { sink.see($0) }] }) { .element($0) }
  },
  CostRow("select.appending", "selector.appending(key paths)", should: 300) { _ in
    let selector = StateSelector(\Form.inner).appending(\.x)
    return forms(watched: { forms, sink in [forms.select(selector).subscribe { sink.see($0) }] }) { .inner($0) }
  },
  CostRow("select.appending.closure", "selector.appending(closure)", should: 300) { _ in
    let selector = StateSelector(\Form.inner).appending { $0.x &+ 1 }
    return forms(watched: { forms, sink in [forms.select(selector).subscribe { sink.see($0) }] }) { .inner($0) }
  },
  CostRow("selector.call", "StateSelector as a function", should: 60) { _ in
    let selector = StateSelector(\Form.a)
    let form = Form()
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(selector(form)) }
      precondition(sink.sum == 0)
    }
  },
  CostRow("selector.make", "make a StateSelector from a key path", should: 300, count: 64) { _ in
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(StateSelector(\Form.a)) }
      precondition(sink.sum >= count)
    }
  },
]

/// Sends numbers to an aggregator with a subscriber of what a selector reads, which changes each time.
private func combined(_ selector: StateSelector<Pair, Int>) -> (Int) -> Void {
  let pairs = Pairs(initial: Pair())
  let sink = Sink()
  let token = pairs.select(selector).subscribe { _ in sink.see(1) }
  return { count in
    let before = sink.sum
    pairs.send(.a(-1))
    for number in 1...count { pairs.send(.a(number)) }
    precondition(sink.sum == before + count + 1)
    withExtendedLifetime(token) {}
  }
}
