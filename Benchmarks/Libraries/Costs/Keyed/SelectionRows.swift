import Aggregate
import CostRows
import RASPKeyed
import Streams

/// Selections of a row.
let selectionRows: [CostRow] = [
  row("k.row", "row selection that changes", sizes: [10, 300, 10_000], of: "rows"),
  CostRow("k.row.closure", "row selection by closure", should: 250) { _ in
    let things = things(300)
    return watching(things) { sink in things[5].select { $0.v }.subscribe { sink.see($0 ?? 0) } }
  },
  CostRow("k.row.unchanged", "row selection of an unchanged field", should: 190) { _ in
    let things = things(300)
    let sink = Sink()
    let token = things[5].select(\.w).subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(sink.sum == 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.row.other", "another row is watched", should: 190) { _ in
    let things = things(300)
    let sink = Sink()
    let token = things[6].select(\.v).subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(sink.sum == 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.row.gone",
    "an event after so many row selections left",
    should: 190,
    count: 16_384,
    sizes: [1, 16, 256],
    of: "left"
  ) { size in
    let things = things(300)
    for _ in 0..<size { things[5].select(\.v).subscribe { _ in }.cancel() }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow(
    "k.row.subs",
    "row selection",
    should: 250,
    count: 4_096,
    sizes: [1, 4, 16, 64],
    of: "subscribers of the row",
    note: "O(subscribers of the row)"
  ) { size in
    let things = things(300)
    let sink = Sink()
    let tokens = (0..<size).map { _ in things[5].select(\.v).subscribe { sink.see($0 ?? 0) } }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow("k.row.shards", "row selection with shards", should: 250, count: 1_024, sizes: [1, 4, 16], of: "shards") {
    size in
    let things = things(300, shards: size)
    return watching(things) { sink in things[5].select(\.v).subscribe { sink.see($0 ?? 0) } }
  },
  CostRow(
    "k.row.watched",
    "all rows watched, one changes",
    should: 250,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let tokens = (0..<size).map { things[$0].select(\.v).subscribe { sink.see($0 ?? 0) } }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "k.row.watched.spread",
    "all rows watched, all change in turn",
    should: 250,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let tokens = (0..<size).map { things[$0].select(\.v).subscribe { sink.see($0 ?? 0) } }
    var key = 0
    return { count in
      for number in 0..<count {
        key = key + 1 == size ? 0 : key + 1
        things.send(Tick(key, -number))
      }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow("k.row.string", "row selection, String keys", should: 600) { _ in
    let things = KeyedAggregator<String, NamedThing>(by: \NamedTick.key, initial: { _ in NamedThing() })
    let sink = Sink()
    let token = things["thing 5"].select(\.v).subscribe { sink.see($0 ?? 0) }
    return { count in
      for number in 0..<count { things.send(NamedTick(key: "thing 5", v: number)) }
      precondition(things["thing 5"].current?.v == count - 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.row.combining", "row selection by a combining selector", should: 250) { _ in
    let things = things(300)
    let both = StateSelector(combining: StateSelector(\Thing.v), StateSelector(\Thing.w)) { $0 + $1 }
    return watching(things) { sink in things[5].select(both).subscribe { sink.see($0 ?? 0) } }
  },
  CostRow(
    "k.row.subscribe.cancel",
    "subscribe to a watched row and cancel",
    should: 2_500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "a subscription is some objects and closures, which do not know the type of the row"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let token = things[5].select(\.v).subscribe { sink.see($0 ?? 0) }
    return { count in
      for _ in 0..<count { things[5].select(\.v).subscribe { sink.see($0 ?? 0) }.cancel() }
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.row.subscribe.cancel.first",
    "subscribe to an unwatched row and cancel",
    should: 2_500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "a subscription is some objects and closures, and so is the first selection of a row"
  ) { size in
    let things = things(size)
    let sink = Sink()
    return { count in
      for _ in 0..<count { things[5].select(\.v).subscribe { sink.see($0 ?? 0) }.cancel() }
    }
  },
]

/// Sends to a row that is watched, and checks that each event was seen.
func watching(_ things: Things, _ watch: (Sink) -> Subscription) -> (Int) -> Void {
  let sink = Sink()
  let token = watch(sink)
  return { count in
    let before = sink.sum
    for number in 1...count { things.send(Tick(5, number)) }
    precondition(sink.sum == before + count * (count + 1) / 2)
    withExtendedLifetime(token) {}
  }
}

private func row(_ name: String, _ operation: String, sizes: [Int], of unit: String) -> CostRow {
  CostRow(name, operation, should: 250, count: 64_000, peer: Peer("RxSwift", 11_089), sizes: sizes, of: unit) { size in
    let things = things(size)
    return watching(things) { sink in things[5].select(\.v).subscribe { sink.see($0 ?? 0) } }
  }
}
