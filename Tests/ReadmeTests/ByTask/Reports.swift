import Aggregate
import Streams

// "Failures and refusals" of the article "Programs by task".

struct Broken: Error {}

struct Gauge: AggregateState {
  var level = 0

  mutating func apply(_ level: Int) throws(Broken) {
    if level < 0 { throw Broken() }
    self.level = level
  }
}

func pairs(on time: some Scheduler) -> Observable<(Int, Int), Never> {
  let quiet = Aggregator(initial: Gauge(), sources: Observable.fail(Broken()))
  quiet.send(-1)  // a debug build has written two reports to standard error by now

  let first = Observable<Int, Never>.interval(.milliseconds(30), on: time).prefix(3)
  let second = Observable<Int, Never>.interval(.milliseconds(50), on: time).prefix(2)
  return Observable.combineLatest(first, second)
}
