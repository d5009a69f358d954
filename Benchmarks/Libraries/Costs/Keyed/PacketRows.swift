import Aggregate
import CostRows
import Streams

/// The sizes of packets, whose cost is that of the whole packet.
private let packetSizes = [1, 10, 200, 10_000]

private func packet(of size: Int, keys: Int) -> [Tick] { (0..<size).map { Tick($0 % keys, $0 + 1) } }

let packetRows: [CostRow] = [
  row("k.packet.one", "send(contentsOf:), one key", keys: 1),
  row("k.packet.many", "send(contentsOf:), 300 keys", keys: 300),
  row("k.packet.one.row", "send(contentsOf:), one key, watched", keys: 1, watched: 1),
  row("k.packet.many.row", "send(contentsOf:), 300 keys, all watched", keys: 300, watched: 300),
  row("k.packet.one.shards4", "send(contentsOf:), one key, 4 shards", keys: 1, shards: 4),
  row("k.packet.many.shards4", "send(contentsOf:), 300 keys, 4 shards", keys: 300, shards: 4),
  row("k.packet.many.shards16", "send(contentsOf:), 300 keys, 16 shards", keys: 300, shards: 16),
  CostRow(
    "k.packet.new",
    "send(contentsOf:) that makes rows, and the removal of them",
    should: 3_000,
    count: 64,
    sizes: [1, 10, 200],
    of: "events",
    note: "O(events); several shards take four arrays"
  ) { size in
    let things = things(10)
    let packet = (0..<size).map { Tick(1_000 + $0, $0) }
    return { count in
      for _ in 0..<count {
        things.send(contentsOf: packet)
        for tick in packet { things.remove(tick.key) }
      }
      precondition(things.rowCount == 10)
    }
  },
  CostRow(
    "k.sendToAll",
    "sendToAll (all rows)",
    should: 200,
    count: 64,
    sizes: [1, 16, 256, 2_560],
    of: "rows",
    note: "O(rows): 106 each"
  ) { size in
    let things = things(size)
    return { count in
      for number in 0..<count { things.sendToAll(Tick(0, number)) }
      precondition(things[size - 1].current?.v == count - 1)
    }
  },
  CostRow(
    "k.insert.packet",
    "insert(rows) in the place of others",
    should: 600,
    count: 64,
    sizes: [1, 10, 300],
    of: "rows in it",
    note: "O(rows in it)"
  ) { size in
    let things = things(300)
    var rows = (0..<size).map { (key: $0, value: Thing()) }
    return { count in
      for number in 0..<count {
        rows[0].value.v = number
        things.insert(rows)
      }
      precondition(things[0].current?.v == count - 1)
    }
  },
]

private func row(
  _ name: String,
  _ operation: String,
  keys: Int,
  watched: Int = 0,
  shards: Int = 1
) -> CostRow {
  CostRow(
    name,
    operation + " (a whole packet)",
    should: watched > 0 ? 250 : 200,
    count: 64,
    sizes: packetSizes,
    of: "events",
    note: "O(events); several shards take four arrays"
  ) { size in
    let things = things(keys, shards: shards)
    let sink = Sink()
    let tokens = (0..<watched).map { key in things[key].select(\.v).subscribe { sink.see($0 ?? 0) } }
    let packets = [packet(of: size, keys: keys), packet(of: size, keys: keys).map { Tick($0.key, -$0.v) }]
    return { count in
      for number in 0..<count { things.send(contentsOf: packets[number & 1]) }
      let last = packets[(count - 1) & 1][size - 1]
      precondition(things[last.key].current?.v == last.v)
      withExtendedLifetime(tokens) {}
    }
  }
}
