import Aggregate
import CostRows
import Streams

/// A field of all rows.
let eachRows: [CostRow] = [
  CostRow("k.each", "each(\\.v)", should: 300, count: 64_000, sizes: [10, 300, 10_000], of: "rows") { size in
    let things = things(size)
    return watching(things, greetedWith: size) { sink in things.each(\.v).subscribe { sink.see($0.value) } }
  },
  CostRow(
    "k.newest",
    "newest(of:), an event of one of the keys, nothing read",
    should: 400,
    count: 64_000,
    sizes: [10, 300, 10_000],
    of: "keys"
  ) { size in
    let things = things(size)
    let reader = things.newest(of: 0..<size, \.v).makeAsyncIterator()
    return { count in
      for number in 0..<count { things.send(Tick(number % size, number)) }
      withExtendedLifetime(reader) {}
    }
  },
  CostRow(
    "k.each.spread",
    "each(\\.v), all rows in turn",
    should: 300,
    count: 64_000,
    sizes: [10, 300, 10_000],
    of: "rows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let token = things.each(\.v).subscribe { sink.see($0.value) }
    var key = 0
    return { count in
      for number in 0..<count {
        key = key + 1 == size ? 0 : key + 1
        things.send(Tick(key, -number))
      }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.each.closure", "each(closure selector)", should: 300) { _ in
    let things = things(300)
    return watching(things, greetedWith: 300) { sink in
      things.each(StateSelector { $0.v }).subscribe { sink.see($0.value) }
    }
  },
  CostRow("k.each.by", "each(selector with a comparison of its own)", should: 700) { _ in
    let things = things(300)
    return watching(things, greetedWith: 300) { sink in
      things.each(StateSelector(\.v, by: { $0 == $1 })).subscribe { sink.see($0.value) }
    }
  },
  CostRow("k.each.unchanged", "each(\\.w), unchanged", should: 300) { _ in
    let things = things(300)
    let sink = Sink()
    let token = things.each(\.w).subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(sink.sum == 300)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.each.subs",
    "each(\\.v), one stream",
    should: 300,
    count: 1_024,
    sizes: [1, 4, 16],
    of: "subscribers",
    note: "O(subscribers)"
  ) { size in
    let things = things(300)
    let sink = Sink()
    let stream = things.each(\.v)
    let tokens = (0..<size).map { _ in stream.subscribe { sink.see($0.value) } }
    return { count in
      for number in 0..<count { things.send(Tick(5, -number)) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "k.each.streams",
    "each(\\.v), called anew for each subscriber",
    should: 300,
    count: 1_024,
    sizes: [1, 4, 16],
    of: "streams",
    note: "O(streams): each is a view of its own"
  ) { size in
    let things = things(300)
    let sink = Sink()
    let tokens = (0..<size).map { _ in things.each(\.v).subscribe { sink.see($0.value) } }
    return { count in
      for number in 0..<count { things.send(Tick(5, -number)) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow("k.each.shards", "each(\\.v)", should: 300, count: 1_024, sizes: [1, 4, 16], of: "shards") { size in
    let things = things(300, shards: size)
    return watching(things, greetedWith: 300) { sink in things.each(\.v).subscribe { sink.see($0.value) } }
  },
  CostRow("k.each.gone", "an event when each(\\.v) has been left", should: 190) { _ in
    let things = things(300)
    things.each(\.v).subscribe { _ in }.cancel()
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow(
    "k.each.subscribe",
    "subscribe to each and cancel",
    should: 3_000,
    count: 64,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(rows): a newcomer gets each of them; a view is made and given up"
  ) { size in
    let things = things(size)
    let sink = Sink()
    return { count in
      let before = sink.sum
      for _ in 0..<count { things.each(\.v).subscribe { _ in sink.see(1) }.cancel() }
      precondition(sink.sum == before + count * size)
    }
  },
  CostRow(
    "k.each.leave",
    "subscribe to each of an empty aggregator and cancel, beside others",
    should: 2_500,
    count: 4_096,
    sizes: [1, 16, 256],
    of: "other views",
    note: "a view is made, with its subscription, and given up"
  ) { size in
    let things = things(0)
    let tokens = (0..<size).map { _ in things.each(\.v).subscribe { _ in } }
    return { count in
      for _ in 0..<count { things.each(\.v).subscribe { _ in }.cancel() }
      withExtendedLifetime(tokens) {}
    }
  },
]

/// Sends to a row while all are watched, and checks that each event was seen.
private func watching(_ things: Things, greetedWith rows: Int, _ watch: (Sink) -> Subscription) -> (Int) -> Void {
  let sink = Sink()
  let token = watch(sink)
  precondition(sink.sum == rows * (rows - 1) / 2)
  return { count in
    let before = sink.sum
    for number in 1...count { things.send(Tick(5, -number)) }
    precondition(sink.sum == before - count * (count + 1) / 2)
    withExtendedLifetime(token) {}
  }
}
