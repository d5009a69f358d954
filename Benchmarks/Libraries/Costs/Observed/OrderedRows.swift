import Aggregate
import CostRows

/// A collection with keys whose rows have an order.
let orderedRows = [
  CostRow(
    "ordered.send",
    "event into an OrderedKeyed of a state",
    should: 500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "allocates the frame of the coroutine that lends the row"
  ) { size in
    let aggregator = Aggregator(initial: OrderedState(size))
    return { count in
      for _ in 0..<count { aggregator.send(7) }
    }
  },
  CostRow(
    "ordered.select.key",
    "select(\\.ordered, key:) that changes",
    should: 500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "allocates the frame of the coroutine that lends the row"
  ) { size in
    let aggregator = Aggregator(initial: OrderedState(size))
    let sink = Sink()
    let token = aggregator.select(\.ordered, key: 7).subscribe { sink.see($0?.v ?? 0) }
    return { count in
      for _ in 0..<count { aggregator.send(7) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "ordered.watched",
    "select(\\.ordered, key:) for all rows, one changes",
    should: 500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: Note.lookedUp
  ) { size in
    let aggregator = Aggregator(initial: OrderedState(size))
    let sink = Sink()
    let tokens = (0..<size).map { aggregator.select(\.ordered, key: $0).subscribe { sink.see($0?.v ?? 0) } }
    return { count in
      for _ in 0..<count { aggregator.send(7) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "ordered.select.keys",
    "select(\\.ordered.keys), a row changes",
    should: 2_700,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "the standard library interprets a key path to a computed property at each read, for 2,000; a closure is not"
  ) { size in
    let aggregator = Aggregator(initial: OrderedState(size))
    let sink = Sink()
    let token = aggregator.select(\.ordered.keys).subscribe { sink.see($0.count) }
    return { count in
      for _ in 0..<count { aggregator.send(7) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("ordered.get", "OrderedKeyed[key]", should: 60, count: 4_096, sizes: [10, 160, 2_560], of: "rows") { size in
    let rows = OrderedState(size).ordered
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(rows[key: 7]?.v ?? 0) }
    }
  },
  CostRow(
    "ordered.remake",
    "OrderedKeyed: remove and insert a row",
    should: 1_000,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(log rows), and one move of memory; a string is hashed four times"
  ) { size in
    let rows = Held(OrderedKeyed((0..<size).map { (key: "\($0)", value: Item()) }))
    let keys = rows.value.keys
    return { count in
      for index in 0..<count {
        let key = keys[index % size]
        rows.value[key] = nil
        rows.value[key] = Item()
      }
      precondition(rows.value.count == size)
    }
  },
  CostRow(
    "ordered.move",
    "OrderedKeyed.move",
    should: 1_000,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(log rows), and one move of memory"
  ) { size in
    let rows = Held(OrderedKeyed((0..<size).map { (key: "\($0)", value: Item()) }))
    let keys = rows.value.keys
    return { count in
      for index in 0..<count { rows.value.move(keys[index % size], to: index * 7 % size) }
      precondition(rows.value.count == size)
    }
  },
  CostRow(
    "ordered.iterate",
    "iterate an OrderedKeyed, whole",
    should: 1_500,
    count: 16,
    sizes: [100, 400, 1_600],
    of: "rows",
    note: "O(rows)"
  ) { size in
    let rows = OrderedState(size).ordered
    let sink = Sink()
    return { count in
      for _ in 0..<count {
        for (_, row) in rows { sink.see(row.v) }
      }
    }
  },
  CostRow(
    "ordered.sort",
    "OrderedKeyed.sort of sorted rows",
    should: 3_000,
    count: 16,
    sizes: [100, 400, 1_600],
    of: "rows",
    note: "O(rows × log rows)"
  ) { size in
    let rows = Held(OrderedState(size).ordered)
    return { count in
      for _ in 0..<count { rows.value.sort { $0.key < $1.key } }
    }
  },
]

extension OrderedKeyed where Key == Int {
  /// The row of a key: an integer might also be a position.
  fileprivate subscript(key key: Int) -> Row? { self[key] }
}
