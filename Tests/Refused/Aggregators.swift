// What streams have and an aggregator has not, and what the compiler answers. `.ci/run` has the compiler check that it
// refuses each line with the message that stands beside it, and nothing else.

import Aggregate
import Streams

struct Counter: AggregateState {
  var count = 0

  mutating func apply(_ step: Int) { count += step }
}

func asStream(counter: Aggregator<Counter>) async {
  // expected-error@+1 {{write 'states.subscribe { … }', or 'select(…).subscribe { … }' for one field}}
  _ = counter.subscribe { print($0) }
  // expected-error@+1 {{write 'states', or 'select(…)' for one field}}
  _ = await counter.first { $0.count > 1 }
  // expected-error@+1 {{write 'states', or 'select(…)' for one field}}
  for await state in counter { print(state) }
  // expected-error@+1 {{write 'states', or 'select(…)' for one field}}
  _ = counter.map { $0.count }
}

/// What is right stays right.
func asWritten(counter: Aggregator<Counter>) async {
  _ = counter.states.subscribe { print($0) }
  _ = counter.select(\.count).subscribe { print($0) }
  _ = await counter.states.first { $0.count > 1 }
  for await count in counter.select(\.count).values { print(count) }
  for await state in counter.states.values(buffering: .newest(1)) { print(state) }
  _ = counter.states.map { $0.count }
}
