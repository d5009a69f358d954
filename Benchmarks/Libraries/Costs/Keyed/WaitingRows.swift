import Aggregate
import CostRows
import Streams

/// What waits in the line.
let waitingRows: [CostRow] = [
  CostRow(
    "k.waiting",
    "one event whose subscriber sends so many",
    should: 650,
    count: 64,
    sizes: [1, 16, 256, 4_096],
    of: "events that wait",
    note: "O(events)"
  ) { size in
    let things = things(300)
    let token = things[5].select(\.v).subscribe { value in
      guard let value, value & 1 == 1 else { return }
      for number in 0..<size { things.send(Tick(7, number)) }
    }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[7].current?.v == (count > 1 ? size - 1 : 7))
      withExtendedLifetime(token) {}
    }
  }
]
