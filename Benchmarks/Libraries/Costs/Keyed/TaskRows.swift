import Aggregate
import CostRows
import Streams

/// Rows in which tasks take part. They come last: what their threads do afterwards is counted with no other row.
let taskRows: [CostRow] = [
  .together("k.submit", "KeyedAggregator.submit", should: 300) { _ in
    let things = things(300)
    return { count in
      for number in 0..<count { _ = await things.submit(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
    }
  },
  .together("k.submit.row", "KeyedAggregator.submit, row watched", should: 400) { _ in
    let things = things(300)
    let sink = Sink()
    let token = things[5].select(\.v).subscribe { sink.see($0 ?? 0) }
    return { count in
      for number in 0..<count { _ = await things.submit(Tick(5, number)) }
      precondition(things[5].current?.v == count - 1)
      withExtendedLifetime(token) {}
    }
  },
  .together("k.row.values.unread", "rows[key].select.values: a send while the reader is late", should: 250) { _ in
    let things = things(300)
    var iterator = things[5].select(\.v).values.makeAsyncIterator()
    _ = await iterator.next()
    let late = Late(iterator)
    return { count in
      for number in 0..<count { things.send(Tick(5, number)) }
      withExtendedLifetime(late) {}
    }
  },
]

/// A reader that does not read.
private final class Late<Iterator>: @unchecked Sendable {
  private let iterator: Iterator

  init(_ iterator: Iterator) { self.iterator = iterator }
}
