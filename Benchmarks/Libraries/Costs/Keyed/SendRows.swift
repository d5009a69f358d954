import Aggregate
import CostRows
import RASPKeyed
import Streams

let sendRows: [CostRow] = [
  CostRow("k.send", "KeyedAggregator.send", should: 190, count: 64_000, sizes: [10, 300, 10_000], of: "rows") { size in
    let things = things(size)
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow(
    "k.send.spread",
    "KeyedAggregator.send, all keys in turn",
    should: 190,
    count: 64_000,
    sizes: [10, 300, 10_000],
    of: "rows"
  ) {
    size in
    let things = things(size)
    var key = 0
    return { count in
      for number in 0..<count {
        key = key + 1 == size ? 0 : key + 1
        things.send(Tick(key, number))
      }
    }
  },
  CostRow("k.send.closureKey", "KeyedAggregator.send, key by a closure", should: 190) { _ in
    let things = Things(by: { $0.key }, initial: { _ in Thing() })
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow("k.send.picky", "KeyedAggregator.send, rows may refuse", should: 190) { _ in
    let things = KeyedAggregator<Int, PickyThing>(by: \Tick.key, initial: { _ in PickyThing() })
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow(
    "k.send.string",
    "KeyedAggregator.send, String keys",
    should: 500,
    count: 64_000,
    sizes: [10, 300, 10_000],
    of: "rows"
  ) {
    size in
    let things = KeyedAggregator<String, NamedThing>(by: \NamedTick.key, initial: { _ in NamedThing() })
    for key in 0..<size { things.send(NamedTick(key: "thing \(key)", v: key)) }
    return { count in
      for number in 0..<count { things.send(NamedTick(key: "thing 5", v: number)) }
      precondition(things["thing 5"].current?.v == count - 1)
    }
  },
  CostRow("k.send.shards", "KeyedAggregator(shards:).send", should: 190, count: 1_024, sizes: [1, 4, 16], of: "shards")
  { size in
    let things = things(300, shards: size)
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow("k.send.new", "KeyedAggregator.send that makes a row", should: 1_500, note: "the memory of the rows grows") {
    _ in
    let things = things(10)
    var key = 10
    return { count in
      let before = things.rowCount
      for number in 0..<count {
        key += 1
        things.send(Tick(key, number))
      }
      precondition(things.rowCount == before + count)
    }
  },
  CostRow("k.send.refused", "KeyedAggregator.send that the row refuses, no subscriber", should: 190) { _ in
    let things = KeyedAggregator<Int, PickyThing>(by: \Tick.key, initial: { _ in PickyThing() })
    things.send(Tick(5, 1))
    return { count in
      for _ in 0..<count { things.send(Tick(5, -1)) }
      precondition(things[5].current?.v == 1)
    }
  },
  CostRow("k.send.refused.heard", "KeyedAggregator: a refused event, rejections subscribed", should: 250) { _ in
    let things = KeyedAggregator<Int, PickyThing>(by: \Tick.key, initial: { _ in PickyThing() })
    things.send(Tick(5, 1))
    let sink = Sink()
    let token = things.rejections.subscribe { sink.see($0.event.v) }
    return { count in
      let before = sink.sum
      for _ in 0..<count { things.send(Tick(5, -1)) }
      precondition(sink.sum == before - count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.source", "an event from a source, 300 rows", should: 250) { _ in
    let things = things(300)
    let source = Subject<Tick, Never>()
    things.add(source.observable)
    return { count in
      for number in 0..<count { source.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow("k.source.named", "an event from a named source, 300 rows", should: 300) { _ in
    let things = things(300)
    let source = Subject<Tick, Never>()
    things.add(source.observable, as: "feed")
    return { count in
      for number in 0..<count { source.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow(
    "k.pendingCount",
    "KeyedAggregator.pendingCount",
    should: 60,
    count: 1_024,
    sizes: [1, 4, 16],
    of: "shards",
    note: "O(shards)"
  ) {
    size in
    let things = things(300, shards: size)
    let sink = Sink()
    return { count in for _ in 0..<count { sink.see(things.pendingCount) } }
  },
  CostRow(
    "k.droppedCount",
    "KeyedAggregator.droppedCount",
    should: 60,
    count: 1_024,
    sizes: [1, 4, 16],
    of: "shards",
    note: "O(shards)"
  ) {
    size in
    let things = things(300, shards: size)
    let sink = Sink()
    return { count in for _ in 0..<count { sink.see(things.droppedCount) } }
  },
]
