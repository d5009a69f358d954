import Aggregate
import CostRows
import Streams

/// Reads of rows.
let readRows: [CostRow] = [
  CostRow("k.row.current", "rows[key].current", should: 120, count: 64_000, sizes: [10, 10_000], of: "rows") { size in
    let things = things(size)
    let sink = Sink()
    return { count in for _ in 0..<count { sink.see(things[5].current?.v ?? -1_000) } }
  },
  CostRow("k.row.current.subscribed", "rows[key].current while subscribed", should: 120) { _ in
    let things = things(300)
    let sink = Sink()
    let token = things[5].select(\.v).subscribe { sink.see($0 ?? 0) }
    return { count in
      for _ in 0..<count { sink.see(things[5].current?.v ?? -1_000) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.row.select.current",
    "rows[key].select(\\.v).current, selection kept",
    should: 120,
    count: 64_000,
    sizes: [10, 10_000],
    of: "rows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let selection = things[5].select(\.v)
    return { count in for _ in 0..<count { sink.see(selection.current ?? -1_000) } }
  },
  CostRow(
    "k.row.select.current.again",
    "rows[key].select(\\.v).current, made anew",
    should: 120,
    note: "a selection is made, and the offset of its key path found, each time: keep the selection"
  ) { _ in
    let things = things(300)
    let sink = Sink()
    return { count in for _ in 0..<count { sink.see(things[5].select(\.v).current ?? -1_000) } }
  },
  CostRow("k.row.subscriberCount", "rows[key].subscriberCount", should: 120) { _ in
    let things = things(300)
    let sink = Sink()
    let token = things[5].select(\.v).subscribe { sink.see($0 ?? 0) }
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(things[5].subscriberCount) }
      precondition(sink.sum == before + count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.rowCount", "rowCount", should: 120, count: 64_000, sizes: [10, 10_000], of: "rows") { size in
    let things = things(size)
    let sink = Sink()
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(things.rowCount) }
      precondition(sink.sum == before + count * size)
    }
  },
  CostRow(
    "k.rowCount.shards",
    "rowCount",
    should: 120,
    count: 1_024,
    sizes: [1, 4, 16],
    of: "shards",
    note: "O(shards)"
  ) { size in
    let things = things(300, shards: size)
    let sink = Sink()
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(things.rowCount) }
      precondition(sink.sum == before + count * 300)
    }
  },
  CostRow(
    "k.rows",
    "rows()",
    should: 1_900,
    count: 64,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(rows): a dictionary hashes each key and makes room for it"
  ) { size in
    let things = things(size)
    let sink = Sink()
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(things.rows().count) }
      precondition(sink.sum == before + count * size)
    }
  },
]
