// What the blocks of the article about larger states use and do not show.

import Aggregate
import Streams

struct HarbourState: AggregateState {
  var price = 2.0

  mutating func apply(_ price: Double) { self.price = price }
}

struct LogbookState: AggregateState {
  mutating func apply(_ channel: Int) {}
}

let tuner = Observable<RadioEvent, Never>.never
let pump = Observable<Double, Never>.never
let harbour = Aggregator(initial: HarbourState())
