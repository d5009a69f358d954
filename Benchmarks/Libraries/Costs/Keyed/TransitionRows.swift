import Aggregate
import CostRows
import Streams

/// Transitions of a row.
let transitionRows: [CostRow] = [
  CostRow(
    "k.row.transitions",
    "transitions of a row",
    should: 250,
    count: 1_024,
    sizes: [1, 4, 16],
    of: "subscribers of the row",
    note: "O(subscribers of the row): each gets a transition of its own, with the step and both values, for 430"
  ) { size in
    let things = things(300)
    let sink = Sink()
    let tokens = (0..<size).map { _ in things[5].transitions(of: \.v).subscribe { sink.see($0.new ?? 0) } }
    return { count in
      let before = sink.sum
      for number in 1...count { things.send(Tick(5, number)) }
      precondition(sink.sum == before + size * count * (count + 1) / 2)
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "k.row.transitions.by",
    "transitions of a row by closures",
    should: 250,
    note: "the step, the event and both values are put together"
  ) { _ in
    let things = things(300)
    return watching(things) { sink in
      things[5].transitions(of: { $0.v }, by: { $0 == $1 }).subscribe { sink.see($0.new ?? 0) }
    }
  },
  CostRow(
    "k.row.transitions.unchanged",
    "transitions of a row, of an unchanged field",
    should: 250,
    note: "the row is looked at by each subscriber, with what it has seen last"
  ) { _ in
    let things = things(300)
    let sink = Sink()
    let token = things[5].transitions(of: \.w).subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(sink.sum == 0)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.row.transitions.other", "transitions of another row", should: 250) { _ in
    let things = things(300)
    let sink = Sink()
    let token = things[6].transitions(of: \.v).subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(sink.sum == 0)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("k.row.transitions.gone", "an event when the transitions of a row have been left", should: 190) { _ in
    let things = things(300)
    things[5].transitions(of: \.v).subscribe { _ in }.cancel()
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  CostRow(
    "k.row.transitions.watched",
    "transitions of all rows, one changes",
    should: 250,
    count: 16_384,
    sizes: [10, 160, 2_560],
    of: "rows",
    note: "the step, the event and both values are put together"
  ) { size in
    let things = things(size)
    let sink = Sink()
    let tokens = (0..<size).map { things[$0].transitions(of: \.v).subscribe { sink.see($0.new ?? 0) } }
    return { count in
      let before = sink.sum
      for number in 1...count { things.send(Tick(5, number)) }
      precondition(sink.sum == before + count * (count + 1) / 2)
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow(
    "k.row.transitions.subscribe",
    "subscribe to transitions of a row and cancel",
    should: 2_500,
    count: 4_096,
    sizes: [10, 2_560],
    of: "rows",
    note: "a subscription is some objects and closures, and the row gets a list of subscribers"
  ) { size in
    let things = things(size)
    return { count in for _ in 0..<count { things[5].transitions(of: \.v).subscribe { _ in }.cancel() } }
  },
]
