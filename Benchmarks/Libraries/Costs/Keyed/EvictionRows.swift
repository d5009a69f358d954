import Aggregate
import CostRows
import RASPTesting
import Streams

/// Rows that are given up.
let evictionRows: [CostRow] = [
  CostRow(
    "k.evict.beyond.same",
    "eviction .beyond, an event of a row that is there",
    should: 220,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "limit"
  ) { size in
    let things = things(size, evicting: .beyond(size))
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things.rowCount == size)
    }
  },
  CostRow(
    "k.evict.beyond.spread",
    "eviction .beyond, an event of each row in turn",
    should: 220,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "limit"
  ) { size in
    let things = things(size, evicting: .beyond(size))
    var key = 0
    return { count in
      for number in 0..<count {
        key = key + 1 == size ? 0 : key + 1
        things.send(Tick(key, number))
      }
      precondition(things.rowCount == size)
    }
  },
  CostRow(
    "k.evict.beyond.new",
    "eviction .beyond, each event makes a row and evicts one",
    should: 1_500,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "limit"
  ) { size in
    let things = things(size, evicting: .beyond(size))
    var key = size
    return { count in
      for number in 0..<count {
        key += 1
        things.send(Tick(key, number))
      }
      precondition(things.rowCount == size)
    }
  },
  CostRow(
    "k.evict.idle.same",
    "eviction .idle, an event",
    should: 220,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size, evicting: .idle(for: .seconds(3_600)), on: VirtualScheduler())
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things.rowCount == size)
    }
  },
  CostRow(
    "k.evict.idle.sweep",
    "eviction .idle, an eighth of the time with a new row and one that goes",
    should: 3_500,
    count: 1_024,
    sizes: [10, 160, 2_560],
    of: "rows that stay",
    note: "the time of the test kit moves, and a timer is set anew, beside a row that comes and one that goes"
  ) { size in
    let time = VirtualScheduler()
    let things = Things(by: \Tick.key, initial: { _ in Thing() }, evicting: .idle(for: .seconds(80)), on: time)
    // Rows that are watched stay.
    let tokens = (0..<size).map { key in
      things.send(Tick(-1 - key, 0))
      return things[-1 - key].select(\.w).subscribe { _ in }
    }
    var key = 0
    return { count in
      for number in 0..<count {
        key += 1
        things.send(Tick(key, number))
        time.advance(by: .seconds(10))
      }
      precondition(things.rowCount < size + 12)
      withExtendedLifetime(tokens) {}
    }
  },
]
