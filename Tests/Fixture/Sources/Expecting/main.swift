import Aggregate
import RASPTesting
import Testing

// No test runs here. A right expectation says nothing, and a wrong one stops the program with its text.
struct Counter: AggregateState, Equatable {
  var count = 0

  mutating func apply(_ step: Int) { count += step }
}

given(Counter()).when(1).then { $0.count = 1 }
given(Counter()).when(1).then { $0.count = 5 }
