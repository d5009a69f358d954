// What the block of the landing page of `RASPKeyed` uses and does not show.

import Aggregate
import Streams

struct MeterReading: Sendable {
  let meter: String
}

struct Meter: AggregateState {
  mutating func apply(_ reading: MeterReading) {}
}

let radio = Observable<MeterReading, Never>.never
