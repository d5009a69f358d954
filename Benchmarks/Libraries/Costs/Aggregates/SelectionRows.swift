import Aggregate
import CostRows
import Streams

/// Selections of a state that may refuse, beside one that cannot: the first is copied for each event.
let selectionRows: [CostRow] = [
  CostRow("select.plain", "select(key path) that changes, state cannot refuse", should: 190, peer: scanned) { _ in
    select(Pairs(initial: Pair()))
  },
  CostRow(
    "select.keyPath",
    "select(key path) that changes, state may refuse",
    should: 300,
    peer: scanned,
    sizes: [1, 4, 16],
    of: "subscribers",
    note: "O(subscribers): 43 each"
  ) { size in
    forms(watched: { forms, sink in (0..<size).map { _ in forms.select(\.a).subscribe { sink.see($0) } } })
  },
  CostRow("select.closure", "select(closure) that changes", should: 300) { _ in
    forms(watched: { forms, sink in [forms.select { $0.a }.subscribe { sink.see($0) }] })
  },
  CostRow("select.keyPath.nested", "select(key path to a nested stored field)", should: 300) { _ in
    forms(watched: { forms, sink in [forms.select(\.inner.x).subscribe { sink.see($0) }] }) { .inner($0) }
  },
  CostRow("select.select", "select(\\.inner).select(\\.x), changes", should: 350) { _ in
    forms(watched: { forms, sink in [forms.select(\.inner).select(\.x).subscribe { sink.see($0) }] }) { .inner($0) }
  },
  CostRow("select.select.unchanged", "select(\\.inner).select(\\.x), unchanged", should: 250) { _ in
    forms(watched: { forms, sink in [forms.select(\.inner).select(\.x).subscribe { sink.see($0) }] })
  },
  CostRow("select.struct", "select a struct that changes", should: 300) { _ in
    forms(watched: { forms, sink in [forms.select(\.inner).subscribe { sink.see($0.x) }] }) { .inner($0) }
  },
  CostRow("select.string", "select a String that changes", should: 300) { _ in
    let texts = ["a text that needs storage", "another text that needs storage"]
    return forms(watched: { forms, sink in [forms.select(\.name).subscribe { sink.see($0) }] }) {
      .name(texts[$0 & 1])
    }
  },
  CostRow(
    "select.array",
    "select an array whose element changes (3 elements)",
    should: 500,
    note: "one allocation: the selection keeps the array that it has reported, so the event copies it"
  ) { _ in
    forms(watched: { forms, sink in [forms.select(\.list).subscribe { sink.see($0[1]) }] }) { .element($0) }
  },
  CostRow("select.selectMap", "Selection.map", should: 350) { _ in
    forms(watched: { forms, sink in [forms.select(\.a).map { $0 &* 2 }.subscribe { sink.see($0) }] })
  },
  CostRow("select.streamMap", "selection.observable.map", should: 350) { _ in
    forms(watched: { forms, sink in [forms.select(\.a).observable.map { $0 &* 2 }.subscribe { sink.see($0) }] })
  },
  CostRow(
    "select.nodes",
    "one select that changes beside others",
    should: 300,
    sizes: [1, 4, 16],
    of: "other unchanged selections by closure",
    note: "O(selections): 19 each"
  ) { size in
    forms(watched: { forms, sink in
      (0..<size).map { _ in forms.select { $0.b }.subscribe { _ in } } + [forms.select(\.a).subscribe { sink.see($0) }]
    })
  },
  CostRow("select.gone", "Aggregator.send after so many selections left", should: 300, sizes: [1, 256], of: "gone") {
    size in
    forms(watched: { forms, sink in
      for number in 0..<size { forms.select { $0.b &+ number }.subscribe { _ in }.cancel() }
      return [forms.select(\.a).subscribe { sink.see($0) }]
    })
  },
]

/// One field of a state by `scan`, `map` and `distinctUntilChanged`.
private let scanned = Peer("RxSwift", 9_098)

/// Sends events to an aggregator of forms.
///
/// - Parameters:
///   - watch: subscribes; the sink gets something, unless nothing changes.
///   - event: makes an event of a number.
func forms(
  watched watch: (Forms, Sink) -> Tokens,
  by event: @escaping @Sendable (Int) -> Form.Event = { .a($0) }
) -> (Int) -> Void {
  let forms = Forms(initial: Form())
  let sink = Sink()
  let tokens = watch(forms, sink)
  return { count in
    for number in 1...count { forms.send(event(number)) }
    withExtendedLifetime((tokens, sink)) {}
  }
}
