import Aggregate
import CostRows

/// A collection with keys by itself, and in a state of which no row is watched.
let keyedRows = [
  CostRow("keyedValue.get", "Keyed[key]", should: 60, count: 4_096, sizes: [10, 160, 2_560], of: "rows") { size in
    let rows = RowsState(size).rows
    let sink = Sink()
    return { count in
      for _ in 0..<count { sink.see(rows[7]?.v ?? 0) }
    }
  },
  CostRow(
    "keyedValue.set",
    "Keyed[key]?.v =",
    should: 250,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: Note.lent
  ) { size in
    let rows = Held(RowsState(size).rows)
    return { count in
      let before = rows.value[7]?.v ?? 0
      for _ in 0..<count { rows.value[7]?.v += 1 }
      precondition(rows.value[7]?.v == before + count)
    }
  },
  CostRow(
    "keyedValue.default",
    "Keyed[key, default:] +=",
    should: 250,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let rows = Held(RowsState(size).rows)
    return { count in
      let before = rows.value[7]?.v ?? 0
      for _ in 0..<count { rows.value[7, default: Item()].v += 1 }
      precondition(rows.value[7]?.v == before + count)
    }
  },
  CostRow(
    "keyedValue.remake",
    "Keyed: a row is removed by removeValue and inserted",
    should: 750,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let rows = Held(RowsState(size).rows)
    return { count in
      for _ in 0..<count {
        let row = rows.value.removeValue(forKey: 7)
        rows.value[7] = row
      }
      precondition(rows.value.count == size)
    }
  },
  CostRow("keyed.merge", "Keyed.merge, for each row that is put in", should: 250) { _ in
    let rows = Held(RowsState(160).rows)
    return { count in
      rows.value.merge((0..<count).lazy.map { (key: $0 % 160, value: Item(v: $0)) })
      precondition(rows.value.count == 160)
    }
  },
  CostRow(
    "keyed.iterate",
    "iterate a Keyed, whole",
    should: 1_500,
    count: 16,
    sizes: [100, 400, 1_600],
    of: "rows",
    note: "O(rows)"
  ) { size in
    let rows = RowsState(size).rows
    let sink = Sink()
    return { count in
      for _ in 0..<count {
        for (_, row) in rows { sink.see(row.v) }
      }
    }
  },
  CostRow("keyed.equal", "Keyed ==, one row differs", should: 400, count: 4_096, sizes: [10, 160, 2_560], of: "rows") {
    size in
    let left = RowsState(size).rows
    var right = left
    right[7]?.v += 1
    let sink = Sink()
    return { [right] count in
      for _ in 0..<count { sink.see(left == right ? 1 : 0) }
    }
  },
  CostRow(
    "rows.send",
    "event into a Keyed of a state, no subscriber",
    should: 400,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: Note.lent
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    return { count in
      let before = aggregator.snapshot.rows[7]?.v ?? 0
      for _ in 0..<count { aggregator.send(.add(7)) }
      precondition(aggregator.snapshot.rows[7]?.v == before + count)
    }
  },
  CostRow(
    "rows.remake",
    "Keyed of a state: remove and insert a row",
    should: 1_500,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    return { count in
      for index in 0..<count { aggregator.send(.remake(index % 10)) }
      precondition(aggregator.snapshot.rows.count == size)
    }
  },
  CostRow(
    "rows.dictionary.kept",
    "event into a Keyed while a snapshot is kept, and snapshot",
    should: 1_500,
    count: 4_096,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "O(rows): the event copies the dictionary"
  ) { size in
    let aggregator = Aggregator(initial: RowsState(size))
    let sink = Sink()
    return { count in
      var kept = aggregator.snapshot.rows.dictionary
      for _ in 0..<count {
        aggregator.send(.add(7))
        sink.see(kept[7]?.v ?? 0)
        kept = aggregator.snapshot.rows.dictionary
      }
    }
  },
]

/// Keeps a value in memory, so that the compiler cannot fold what is done with it.
///
/// It is `@unchecked Sendable` because each row uses its own, on one thread.
final class Held<Value>: @unchecked Sendable {
  @exclusivity(unchecked) var value: Value

  init(_ value: Value) {
    self.value = value
  }
}
