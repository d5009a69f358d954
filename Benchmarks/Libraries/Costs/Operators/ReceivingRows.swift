import CostRows
import Streams

/// Delivery on actors and executors. The main actor has no row: its thread waits while a row runs. It is an actor as any other.
let receivingRows: [CostRow] = [
  .receiving("receive.on.actor", "receive(on: actor), all sent, then run", should: 500) { stream, sink, end in
    stream.receive(on: Place()).subscribe { _, value in sink.see(value) } onEnd: { _, _ in end() }
  },
  .receiving("receive.on.taskExecutor", "receive(on: task executor), all sent, then run", should: 500) {
    stream, sink, end in
    stream.receive(on: globalConcurrentExecutor).subscribe { sink.see($0) } onEnd: { _ in end() }
  },
  .receiving(
    "receive.on.actor.oneByOne",
    "receive(on: actor), answered one by one",
    should: 8_000,
    oneByOne: true
  ) { stream, sink, end in
    stream.receive(on: Place()).subscribe { _, value in
      sink.see(value)
      end()
    }
  },
]

private actor Place {}

extension CostRow {
  @inline(__always)
  fileprivate static func receiving(
    _ name: String,
    _ operation: String,
    should: Int,
    oneByOne: Bool = false,
    subscribe: @escaping @Sendable (Observable<Int, Never>, Tally, @escaping @Sendable () -> Void) -> Subscription
  ) -> CostRow {
    .together(name, operation, should: should, count: 1_024) { _ in
      { count in
        let tally = Tally()
        let subject = Subject<Int, Never>()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let token = subscribe(subject.observable, tally) { if oneByOne { end.yield() } else { end.finish() } }
        if oneByOne {
          var answers = ends.makeAsyncIterator()
          for value in 0..<count {
            subject.send(value)
            await answers.next()
          }
        } else {
          for value in 0..<count { subject.send(value) }
          subject.finish()
          for await _ in ends {}
        }
        tally.expect(count)
        withExtendedLifetime(token) {}
      }
    }
  }
}
