import Aggregate
import CostRows
import Streams

/// The row with the greatest value, where the values are the keys at first.
let rankingRows: [CostRow] = [
  CostRow("k.ranked.top", "ranked(first: 10), the first changes", should: 800, sizes: [10, 160, 2_560], of: "rows") { size in
    let things = things(size)
    return ranking(things, first: 10) { Tick(size - 1, size + $0 & 1) }
  },
  CostRow(
    "k.ranked.first",
    "ranked(first:), the first changes",
    should: 800,
    sizes: [10, 40, 160],
    of: "count",
    note: "O(count)"
  ) { size in
    let things = things(300)
    return ranking(things, first: size) { Tick(299, 300 + $0 & 1) }
  },
  CostRow(
    "k.ranked.jump",
    "ranked(first: 10), a row jumps to the top and away",
    should: 800,
    sizes: [20, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size)
    return ranking(things, first: 10) { Tick(3, $0 & 1 == 0 ? size + 1 : 3) }
  },
  CostRow(
    "k.ranked.outside",
    "ranked(first: 10), a row far below changes",
    should: 800,
    sizes: [20, 160, 2_560],
    of: "rows",
    note: "O(log rows)"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let token = things.ranked(by: { $0.v }, first: 10).subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(3, number & 1 == 0 ? 1 : 3)) }
      precondition(sink.sum == 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.ranked.spread",
    "ranked(first: 10), random changes",
    should: 800,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(log rows)"
  ) { size in
    let things = things(size)
    return random(things, rows: size)
  },
  CostRow(
    "k.ranked.current",
    "ranked(first: 10).current, not subscribed",
    should: 1_200,
    count: 64,
    sizes: [20, 160, 2_560],
    of: "rows",
    note: "O(rows): all are copied and looked at"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let ranking = things.ranked(by: { $0.v }, first: 10)
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(ranking.current[0].key) }
      precondition(sink.sum == before + count * (size - 1))
      withExtendedLifetime(things) {}
    }
  },
  CostRow(
    "k.ranked.current.subscribed",
    "ranked(first: 10).current, subscribed",
    should: 800,
    sizes: [20, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let ranking = things.ranked(by: { $0.v }, first: 10)
    let token = ranking.subscribe { _ in }
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(ranking.current[0].key) }
      precondition(sink.sum == before + count * (size - 1))
      withExtendedLifetime((things, token)) {}
    }
  },
]

/// Sends events each of which is seen in the ranking.
private func ranking(_ things: Things, first length: Int, _ tick: @escaping (Int) -> Tick) -> (Int) -> Void {
  let sink = Sink()
  let token = things.ranked(by: { $0.v }, first: length).subscribe { _ in sink.see(1) }
  return { count in
    let before = sink.sum
    for number in 0..<count { things.send(tick(number)) }
    precondition(sink.sum == before + count)
    withExtendedLifetime((things, token)) {}
  }
}

/// Sends random values to random rows.
func random(_ things: Things, rows: Int) -> (Int) -> Void {
  let sink = Sink()
  let token = things.ranked(by: { $0.v }, first: 10).subscribe { _ in sink.see(1) }
  var state: UInt64 = 1
  return { count in
    let before = sink.sum
    for _ in 0..<count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      things.send(Tick(Int(state >> 33) % rows, Int(state >> 40) & 0xFFFF))
    }
    precondition(rows > 160 || sink.sum > before)
    withExtendedLifetime((things, token)) {}
  }
}
