import Aggregate
import Counting
import RASPKeyed
import Streams

/// How many rows there are, where nothing else is said.
private let rows = 2_560

/// Events of rows.
let keyedRows: [CountedRow] = [
  CountedRow("k.send", count: 4_096) {
    let things = things(rows)
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CountedRow("k.send.new") {
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
  CountedRow("k.packet", count: 64) {
    let things = things(300)
    let packet = (1...200).map { Tick($0, -$0) }
    return { count in
      for _ in 0..<count { things.send(contentsOf: packet) }
      precondition(things[200].current?.v == -200)
    }
  },
  watched("k.row") { things, sink in [things[5].select(\.v).subscribe { sink.see($0 ?? 0) }] },
  watched("k.row.all") { things, sink in
    (0..<rows).map { things[$0].select(\.v).subscribe { sink.see($0 ?? 0) } }
  },
  CountedRow("k.row.subscribe", count: 1_024) {
    let things = things(rows)
    let sink = Sink()
    let token = things[5].select(\.v).subscribe { sink.see($0 ?? 0) }
    return { count in
      let before = sink.sum
      for _ in 0..<count { things[5].select(\.v).subscribe { sink.see($0 ?? 0) }.cancel() }
      precondition(sink.sum == before + 5 * count)
      withExtendedLifetime(token) {}
    }
  },
  CountedRow("k.row.current", count: 4_096) {
    let things = things(rows)
    let sink = Sink()
    return { count in
      let before = sink.sum
      for _ in 0..<count { sink.see(things[5].current?.v ?? 0) }
      precondition(sink.sum == before + 5 * count)
    }
  },
  CountedRow("k.evict", count: 4_096) {
    let things = things(rows, evicting: .beyond(rows))
    var key = rows
    return { count in
      for number in 0..<count {
        key += 1
        things.send(Tick(key, number))
      }
      precondition(things.rowCount == rows)
    }
  },
]

/// What is seen of all rows.
let viewRows: [CountedRow] = [
  watched("k.each") { things, sink in [things.each(\.v).subscribe { sink.see($0.value) }] },
  CountedRow("k.count", count: 4_096) {
    let things = things(rows)
    let sink = Sink()
    let token = things.count { $0.v >= 0 }.subscribe { _ in sink.see(1) }
    return { count in
      let before = sink.sum
      for number in 0..<count { things.send(Tick(5, number & 1 == 0 ? -1 : 1)) }
      precondition(sink.sum == before + count)
      withExtendedLifetime((things, token)) {}
    }
  },
  CountedRow("k.ranked", count: 4_096) {
    let things = things(rows)
    let sink = Sink()
    let token = things.ranked(by: { $0.v }, first: 10).subscribe { _ in sink.see(1) }
    return { count in
      let before = sink.sum
      for number in 0..<count { things.send(Tick(rows - 1, rows + number & 1)) }
      precondition(sink.sum == before + count)
      withExtendedLifetime((things, token)) {}
    }
  },
]

/// Sends to a row that is watched, and checks that each event was seen.
private func watched(_ name: String, _ watch: @escaping @Sendable (Things, Sink) -> [Subscription]) -> CountedRow {
  CountedRow(name, count: 4_096) {
    let things = things(rows)
    let sink = Sink()
    let tokens = watch(things, sink)
    return { count in
      let before = sink.sum
      for number in 1...count { things.send(Tick(5, -number)) }
      precondition(sink.sum == before - count * (count + 1) / 2)
      withExtendedLifetime(tokens) {}
    }
  }
}
