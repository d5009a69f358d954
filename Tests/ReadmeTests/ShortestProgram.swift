import Aggregate
import Streams
import TestSupport

func shortestProgram() {
  struct Counter: AggregateState {
    var count = 0

    mutating func apply(_ step: Int) { count += step }
  }

  let counter = Aggregator(initial: Counter(), sources: Observable.interval(.seconds(1)).map { _ in 1 })
  let subscription = counter.select(\.count).subscribe { print($0) }  // 0, and then every second
  counter.send(10)  // from any thread

  _ = subscription
}
