import Aggregate
import CostRows
import Streams

/// Sets of keys, and counts.
let queryRows: [CostRow] = [
  CostRow("k.keys", "keys subscribed, a row changes", should: 300, sizes: [10, 160, 2_560], of: "rows") { size in
    let things = things(size)
    let sink = Sink()
    let token = things.keys.subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(sink.sum == 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.keysWhere.flip", "keys(where:), a row goes in or out", should: 300, sizes: [10, 160, 2_560], of: "rows") { size in
    flipping(things(size)) { things, sink in things.keys { $0.v >= 0 }.subscribe { _ in sink.see(1) } }
  },
  CostRow("k.keysWhere.same", "keys(where:), nothing changes", should: 300, sizes: [10, 160, 2_560], of: "rows") { size in
    let things = things(size)
    let sink = Sink()
    let token = things.keys { $0.v >= 0 }.subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(sink.sum == 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.keysWhere.flip.kept",
    "keys(where:), in or out, subscriber keeps the set",
    should: 600,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(keys): a set that is kept is copied before the next change"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let kept = KeptKeys()
    let token = things.keys { $0.v >= 0 }.subscribe {
      kept.keys = $0
      sink.see(1)
    }
    return { count in
      let before = sink.sum
      for number in 0..<count { things.send(Tick(5, number & 1 == 0 ? -1 : 1)) }
      precondition(sink.sum == before + count && !kept.keys.isEmpty)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.count.flip", "count(where:), a row goes in or out", should: 300, sizes: [10, 160, 2_560], of: "rows") { size in
    flipping(things(size)) { things, sink in things.count { $0.v >= 0 }.subscribe { _ in sink.see(1) } }
  },
  CostRow("k.count.same", "count(where:), nothing changes", should: 300, sizes: [10, 160, 2_560], of: "rows") { size in
    let things = things(size)
    let sink = Sink()
    let token = things.count { $0.v >= 0 }.subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(sink.sum == 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.keysWhere.current",
    "keys(where:).current, not subscribed",
    should: 1_500,
    count: 64,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(rows): all are copied and looked at, and a set hashes each key"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let keys = things.keys { $0.v >= 0 }
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(keys.current.count) }
      precondition(sink.sum == before + count * size)
      withExtendedLifetime(things) {}
    }
  },
  CostRow(
    "k.keysWhere.current.subscribed",
    "keys(where:).current, subscribed",
    should: 150,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let keys = things.keys { $0.v >= 0 }
    let token = keys.subscribe { _ in }
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(keys.current.count) }
      precondition(sink.sum == before + count * size)
      withExtendedLifetime((things, token)) {}
    }
  },
  CostRow(
    "k.count.current",
    "count(where:).current, not subscribed",
    should: 400,
    count: 64,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(rows): all are copied and looked at"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let number = things.count { $0.v >= 0 }
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(number.current) }
      precondition(sink.sum == before + count * size)
      withExtendedLifetime(things) {}
    }
  },
  CostRow(
    "k.count.current.subscribed",
    "count(where:).current, subscribed",
    should: 150,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let number = things.count { $0.v >= 0 }
    let token = number.subscribe { _ in }
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(number.current) }
      precondition(sink.sum == before + count * size)
      withExtendedLifetime((things, token)) {}
    }
  },
]

private final class KeptKeys: @unchecked Sendable {
  var keys: Set<Int> = []
}

/// Sends events after each of which a row is on the other side of zero, and checks that each was seen.
func flipping(_ things: Things, _ watch: (Things, Sink) -> Subscription) -> (Int) -> Void {
  let sink = Sink()
  let token = watch(things, sink)
  return { count in
    precondition(count % 2 == 0)
    let before = sink.sum
    for number in 0..<count { things.send(Tick(5, number & 1 == 0 ? -1 : 1)) }
    precondition(sink.sum == before + count)
    withExtendedLifetime((things, token)) {}
  }
}
