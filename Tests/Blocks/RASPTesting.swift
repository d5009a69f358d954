// What the blocks of the landing page of `RASPTesting` use and do not show.

import Aggregate

struct Position: AggregateState, Equatable {
  enum Event: Sendable { case heading(Double) }

  var heading: Double?

  mutating func apply(_ event: Event) {}
}

struct Tick: Sendable {
  var symbol: String
  var price: Int
}

struct Quote: AggregateState, Equatable {
  var price = 0

  mutating func apply(_ event: Tick) {}
}
