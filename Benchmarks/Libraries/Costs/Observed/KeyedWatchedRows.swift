import Aggregate
import CostRows
import Streams

/// A collection with keys in a state whose rows are selected.
let keyedWatchedRows = [
  CostRow("rows.select.key", "select(\\.rows, key:) that changes", should: 400, count: 4_096, sizes: [10, 160, 2_560], of: "rows") {
    size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let token = aggregator.select(\.rows, key: 7).subscribe { sink.see($0?.v ?? 0) }
    return { count in send(count, to: aggregator, token) }
  },
  CostRow(
    "rows.select.other",
    "select(\\.rows, key:), another row changes",
    should: 400,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let token = aggregator.select(\.rows, key: 3).subscribe { sink.see($0?.v ?? 0) }
    return { count in send(count, to: aggregator, token) }
  },
  CostRow(
    "rows.select.opaque",
    "select(\\.rows, key:) of a row that cannot be compared",
    should: 400,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let aggregator = Aggregator(initial: OpaqueState(size))
    let sink = Sink()
    let token = aggregator.select(\.rows, key: 7).subscribe { sink.see($0?.v ?? 0) }
    return { count in
      for _ in 0..<count { aggregator.send(7) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "rows.watched",
    "select(\\.rows, key:) for all rows, one changes",
    should: 400,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let tokens = (0..<size).map { aggregator.select(\.rows, key: $0).subscribe { sink.see($0?.v ?? 0) } }
    return { count in send(count, to: aggregator, tokens) }
  },
  CostRow(
    "rows.watched.field",
    "select(\\.rows, key:).map for all rows, one changes",
    should: 400,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let tokens = (0..<size).map { aggregator.select(\.rows, key: $0).map { $0?.v ?? 0 }.subscribe { sink.see($0) } }
    return { count in send(count, to: aggregator, tokens) }
  },
  CostRow(
    "rows.watched.otherField",
    "select(\\.rows, key:) for all rows, another field changes",
    should: 400,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let tokens = (0..<size).map { aggregator.select(\.rows, key: $0).subscribe { sink.see($0?.v ?? 0) } }
    return { count in
      for _ in 0..<count { aggregator.send(.other) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "rows.select.all",
    "select(\\.rows), whole Keyed, one row changes",
    should: 940,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(rows): the selection keeps the rows, so the event copies the dictionary"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let token = aggregator.select(\.rows).subscribe { sink.see($0.count) }
    return { count in send(count, to: aggregator, token) }
  },
  CostRow(
    "rows.select.all.otherField",
    "select(\\.rows), another field changes",
    should: 400,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let token = aggregator.select(\.rows).subscribe { sink.see($0.count) }
    return { count in
      for _ in 0..<count { aggregator.send(.other) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("rows.select.count", "select { $0.rows.count }, unchanged", should: 400, count: 4_096, sizes: [10, 160, 2_560], of: "rows")
  { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let token = aggregator.select { $0.rows.count }.subscribe { sink.see($0) }
    return { count in send(count, to: aggregator, token) }
  },
  CostRow("rows.closure.key", "select { $0.rows[7]?.v }", should: 400, count: 4_096, sizes: [10, 160, 2_560], of: "rows") { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let token = aggregator.select { $0.rows[7]?.v }.subscribe { sink.see($0 ?? 0) }
    return { count in send(count, to: aggregator, token) }
  },
  CostRow("rows.current", "select(\\.rows, key:).current", should: 200, count: 4_096, sizes: [10, 160, 2_560], of: "rows") { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let row = aggregator.select(\.rows, key: 7)
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(row.current?.v ?? 0) }
      withExtendedLifetime(aggregator) {}
    }
  },
  CostRow(
    "rows.subscribe",
    "subscribe to select(\\.rows, key:) and cancel",
    should: 2_500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows watched"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    let tokens = (1..<size).map { aggregator.select(\.rows, key: $0).subscribe { sink.see($0?.v ?? 0) } }
    return { count in
      for _ in 0..<count { aggregator.select(\.rows, key: 0).subscribe { sink.see($0?.v ?? 0) }.cancel() }
      withExtendedLifetime(tokens) {}
    }
  },
]

/// Sends events for one row, and checks that they are folded.
private func send(_ count: Int, to aggregator: Aggregator<RowsState>, _ tokens: Any) {
  let before = aggregator.snapshot.rows[7]?.v ?? 0
  for _ in 0..<count { aggregator.send(.add(7)) }
  precondition(aggregator.snapshot.rows[7]?.v == before + count)
  withExtendedLifetime(tokens) {}
}

/// A row that cannot be compared.
private struct Opaque: Sendable {
  var v = 0
}

private struct OpaqueState: AggregateState {
  var rows: Keyed<Int, Opaque>

  init(_ count: Int) {
    rows = Keyed(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, Opaque()) }))
  }

  mutating func apply(_ key: Int) {
    rows[key]?.v += 1
  }
}
