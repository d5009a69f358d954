import Aggregate
import CostRows
import Streams

/// Rows that come and go.
let comingRows: [CostRow] = [
  CostRow(
    "k.remove.remake",
    "remove a row and send its next event",
    should: 1_500,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size)
    return { count in
      for number in 0..<count {
        things.remove(5)
        things.send(Tick(5, number))
      }
      precondition(things.rowCount == size)
    }
  },
  CostRow(
    "k.keys.remake",
    "keys subscribed, a removal and a new row",
    should: 1_500,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let token = things.keys.subscribe { sink.see($0.count) }
    return { count in
      let before = sink.sum
      for number in 0..<count {
        things.remove(5)
        things.send(Tick(5, number))
      }
      precondition(sink.sum == before + count * (2 * size - 1))
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "k.keys.changing",
    "keys subscribed, a new row",
    should: 1_500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows at the start",
    note: "the memory of the rows and of the set grows"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let token = things.keys.subscribe { _ in sink.see(1) }
    var key = size
    return { count in
      let before = sink.sum
      for number in 0..<count {
        key += 1
        things.send(Tick(key, number))
      }
      precondition(sink.sum == before + count)
      withExtendedLifetime(token) {}
    }
  },
]
