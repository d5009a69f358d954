import Aggregate
import CostRows
import Streams

/// Views that are put together from those of several shards.
let shardedViewRows: [CostRow] = [
  CostRow("k.keysWhere.flip.shards", "keys(where:) of 300 rows, in or out", should: 600, sizes: [1, 4, 16], of: "shards") {
    size in
    flipping(things(300, shards: size)) { things, sink in things.keys { $0.v >= 0 }.subscribe { _ in sink.see(1) } }
  },
  CostRow(
    "k.keysWhere.flip.shards4",
    "keys(where:), in or out, 4 shards",
    should: 600,
    sizes: [160, 640, 2_560],
    of: "rows"
  ) { size in
    flipping(things(size, shards: 4)) { things, sink in things.keys { $0.v >= 0 }.subscribe { _ in sink.see(1) } }
  },
  CostRow("k.count.flip.shards", "count(where:) of 300 rows, in or out", should: 600, sizes: [1, 4, 16], of: "shards") {
    size in
    flipping(things(300, shards: size)) { things, sink in things.count { $0.v >= 0 }.subscribe { _ in sink.see(1) } }
  },
  CostRow(
    "k.keys.remake.shards",
    "keys subscribed, a removal and a new row",
    should: 2_100,
    sizes: [1, 4, 16],
    of: "shards"
  ) { size in
    let things = things(300, shards: size)
    let sink = Sink()
    let token = things.keys.subscribe { sink.see($0.count) }
    return { count in
      let before = sink.sum
      for number in 0..<count {
        things.remove(5)
        things.send(Tick(5, number))
      }
      precondition(sink.sum == before + count * 599)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.ranked.shards",
    "ranked(first: 10) of 300 rows, random changes",
    should: 1_500,
    sizes: [1, 4, 16],
    of: "shards"
  ) { size in random(things(300, shards: size), rows: 300) },
  CostRow(
    "k.ranked.top.shards",
    "ranked(first: 10) of 300 rows, the first changes",
    should: 1_500,
    sizes: [1, 4, 16],
    of: "shards"
  ) { size in
    let things = things(300, shards: size)
    let sink = Sink()
    let token = things.ranked(by: { $0.v }, first: 10).subscribe { _ in sink.see(1) }
    return { count in
      let before = sink.sum
      for number in 0..<count { things.send(Tick(299, 300 + number & 1)) }
      precondition(sink.sum == before + count)
      withExtendedLifetime(token) {}
    }
  },
]
