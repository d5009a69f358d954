// What the blocks of the landing page of `RASPValues` use and do not show.

import Aggregate

enum WindEvent: Sendable {
  case speed(Double, Duration)
  case tick(Duration)
}

enum TextEvent: Sendable {
  case insert(String)
  case readers(Int)
}

struct Text: AggregateState {
  var letters = ""
  var readers = 0

  mutating func apply(_ event: TextEvent) {}
}
