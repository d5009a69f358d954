import Aggregate
import CostRows
import Streams

/// Selections that do not change, and what a comparison or a key path costs then.
let comparingRows: [CostRow] = [
  CostRow("select.unchanged", "select of an unchanged field", should: 200, sizes: [1, 16, 256], of: "subscribers") {
    size in
    unchanged { forms, sink in (0..<size).map { _ in forms.select(\.b).subscribe { _ in sink.see(1) } } }
  },
  CostRow("select.unchanged.string", "select of an unchanged String", should: 200) { _ in
    unchanged { forms, sink in [forms.select(\.name).subscribe { _ in sink.see(1) }] }
  },
  CostRow("select.unchanged.array", "select of an unchanged array", should: 200, sizes: [3, 1_000], of: "elements") {
    size in
    unchanged { forms, sink in [forms.select(\.list).subscribe { _ in sink.see(1) }] }
  },
  CostRow(
    "select.closure.unchanged",
    "select(closure), unchanged",
    should: 200,
    sizes: [1, 16, 64],
    of: "selections",
    note: "O(selections): 20 each"
  ) { size in
    unchanged { forms, sink in (0..<size).map { _ in forms.select { $0.b }.subscribe { _ in sink.see(1) } } }
  },
  CostRow("select.by", "select(key path, by: comparison) that changes", should: 300) { _ in
    forms(watched: { forms, sink in [forms.select(\.a, by: { abs($0 - $1) < 1 }).subscribe { sink.see($0) }] })
  },
  CostRow(
    "select.keyPath.count",
    "select(\\.list.count), unchanged",
    should: 190,
    note: "the standard library interprets a key path to a computed property at each read; a closure is not interpreted"
  ) { _ in
    unchanged { forms, sink in [forms.select(\.list.count).subscribe { _ in sink.see(1) }] }
  },
  CostRow(
    "select.keyPath.computed",
    "select(\\.name.count), unchanged",
    should: 190,
    note: "the standard library interprets a key path to a computed property at each read; a closure is not interpreted"
  ) { _ in
    unchanged { forms, sink in [forms.select(\.name.count).subscribe { _ in sink.see(1) }] }
  },
]

/// Sends events that change nothing of what is subscribed to.
private func unchanged(_ watch: (Forms, Sink) -> Tokens) -> (Int) -> Void {
  let forms = Forms(initial: Form())
  let sink = Sink()
  let tokens = watch(forms, sink)
  return { count in
    let before = sink.sum
    for number in 1...count { forms.send(.a(number)) }
    precondition(sink.sum == before)
    withExtendedLifetime(tokens) {}
  }
}
