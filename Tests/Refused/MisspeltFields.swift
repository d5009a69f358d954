// Key paths and closures that name a field which is not there, and what the compiler answers. `.ci/run` has the
// compiler check that it refuses each line with the message that stands beside it, and nothing else.

import Aggregate
import Streams

struct Boat: AggregateState {
  var name = ""
  var positions: [Double] = []

  mutating func apply(_ name: String) { self.name = name }
}

func misspelt(boat: Aggregator<Boat>) {
  // expected-error@+1 {{value of type 'Boat' has no member 'nam'}}
  _ = boat.select(\.nam)
  // expected-error@+1 {{value of type '[Double]' has no member 'cout'}}
  _ = boat.select(\.positions).select(\.cout)
  // expected-error@+1 {{value of type 'Boat' has no member 'nam'}}
  _ = boat.select { $0.nam }
  _ = boat.select(\.name)
  _ = boat.select(\.positions) { $0.count == $1.count }
  _ = boat.select(StateSelector(\.name))
}
