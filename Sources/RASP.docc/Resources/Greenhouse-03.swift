import Aggregate
import Streams

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

let thermometer = Observable<Int, Never>.interval(.seconds(1)).map { _ in Double.random(in: 18...30) }
let greenhouse = Aggregator(initial: Greenhouse(), sources: thermometer.map(GreenhouseEvent.temperature))
let token = greenhouse.select(\.isWindowOpen).subscribe { isOpen in
  print(isOpen ? "the window is open" : "the window is closed")
}
greenhouse.send(.window(isOpen: true))

for await degrees in greenhouse.select(\.temperature).values {
  if let degrees { print("\(degrees.rounded()) °C") }
}
