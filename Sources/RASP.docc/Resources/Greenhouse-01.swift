import Aggregate

enum GreenhouseEvent: Sendable {
  case temperature(Double)
  case window(isOpen: Bool)
}

struct Greenhouse: AggregateState {
  var temperature: Double?
  var isWindowOpen = false

  mutating func apply(_ event: GreenhouseEvent) {
    switch event {
    case .temperature(let degrees): temperature = degrees
    case .window(let isOpen): isWindowOpen = isOpen
    }
  }
}

let greenhouse = Aggregator(initial: Greenhouse())
greenhouse.send(.temperature(21))
print(greenhouse.snapshot)
