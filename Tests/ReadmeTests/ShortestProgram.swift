import Aggregate
import Streams
import TestSupport

func shortestProgram() async throws {
  struct Counter: AggregateState {
    var count = 0

    mutating func apply(_ step: Int) { count += step }
  }

  let counter = Aggregator(initial: Counter(), sources: Observable.interval(.seconds(1)).map { _ in 1 })
  let subscription = counter.select(\.count).subscribe { print($0) }  // 0 at once, and then every second
  counter.send(10)  // from any thread
  try await Task.sleep(for: .seconds(5))  // a program ends with its last line

  _ = subscription
}
