import Aggregate
import CostRows
import Streams

/// Reads of the present state and of selected fields.
let readRows: [CostRow] = [
  CostRow("snapshot", "Aggregator.snapshot (6 fields)", should: 100) { _ in
    let forms = Forms(initial: Form())
    return read(forms) { forms.snapshot.a }
  },
  CostRow("snapshot.plain", "Aggregator.snapshot (2 fields)", should: 60) { _ in
    let pairs = Pairs(initial: Pair())
    return read(pairs) { pairs.snapshot.a }
  },
  CostRow(
    "snapshot.big",
    "Aggregator.snapshot (large state)",
    should: 300,
    note: "nine references in the state are counted twice, which is 500 of it"
  ) { _ in
    let large = Aggregator(initial: Large())
    return read(large) { large.snapshot.a }
  },
  CostRow(
    "snapshot.kept.send",
    "send that changes an array while a snapshot is kept, and snapshot",
    should: 500,
    note: "one allocation: the event copies the array that the snapshot keeps, for 450; the copy of the state takes 500"
  ) { _ in
    let large = Aggregator(initial: Large())
    return { count in
      var kept = large.snapshot
      for number in 0..<count {
        large.send(.b(number))
        kept = large.snapshot
      }
      precondition(kept.items[1] == count - 1)
    }
  },
  CostRow("select.current", "selection.current (key path)", should: 60) { _ in
    let forms = Forms(initial: Form())
    let selection = forms.select(\.a)
    return read(forms) { selection.current }
  },
  CostRow("select.current.string", "selection.current (String)", should: 60) { _ in
    let forms = Forms(initial: Form())
    let selection = forms.select(\.name)
    return read(forms) { selection.current.utf8.count }
  },
  CostRow("select.current.closure", "selection.current (closure)", should: 100) { _ in
    let selection = Forms(initial: Form()).select { $0.a }
    return read(forms) { selection.current }
  },
  CostRow(
    "select.current.combining",
    "selection.current (combining 2)",
    should: 150,
    note: "copies the state, and takes the last result out while it looks at it"
  ) { _ in
    let selector = StateSelector(combining: StateSelector(\Form.a), StateSelector(\Form.b)) { $0 &+ $1 }
    let forms = Forms(initial: Form())
    let selection = forms.select(selector)
    return read(forms) { selection.current }
  },
  CostRow("select.current.nested", "select(\\.inner).select(\\.x).current", should: 60) { _ in
    let forms = Forms(initial: Form())
    let selection = forms.select(\.inner).select(\.x)
    return read(forms) { selection.current }
  },
  CostRow("select.current.appending", "selector.appending(key path), current", should: 60) { _ in
    let forms = Forms(initial: Form())
    let selection = forms.select(StateSelector(\Form.inner).appending(\.x))
    return read(forms) { selection.current }
  },
  CostRow(
    "select.current.computed",
    "selection.current (key path to a computed property)",
    should: 2_200,
    note: "the standard library interprets the key path"
  ) { _ in
    let forms = Forms(initial: Form())
    let selection = forms.select(\.list.count)
    return read(forms) { selection.current }
  },
  CostRow("select.current.subscribed", "selection.current while subscribed", should: 60) { _ in
    let forms = Forms(initial: Form())
    let selection = forms.select(\.a)
    let token = selection.subscribe { _ in }
    return read((forms, token)) { selection.current }
  },
  CostRow(
    "select.current.again",
    "aggregator.select(\\.a).current, made anew",
    should: 200,
    note: "a selection keeps closures, one of which is allocated, and the caller makes a key path"
  ) { _ in
    let forms = Forms(initial: Form())
    return read(forms) { forms.select(\.a).current }
  },
  CostRow("select.current.inRound", "send, and selection.current inside the callback", should: 250) { _ in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let other = pairs.select(\.b)
    let token = pairs.select(\.a).subscribe { _ in sink.see(other.current &+ 1) }
    return { count in
      let before = sink.sum
      pairs.send(.a(-1))
      for number in 1...count { pairs.send(.a(number)) }
      precondition(sink.sum == before + count + 1)
      withExtendedLifetime(token) {}
    }
  },
]

/// Reads a number again and again, and keeps what it is read of alive.
private func read<Kept>(_ kept: Kept, _ body: @escaping () -> Int) -> (Int) -> Void {
  let sink = Sink()
  return { count in
    for _ in 0..<count { sink.see(body() &+ 1) }
    precondition(sink.sum >= count)
    withExtendedLifetime(kept) {}
  }
}
