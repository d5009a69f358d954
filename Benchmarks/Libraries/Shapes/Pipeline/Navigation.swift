import Aggregate

/// What the pipeline shapes have in common: the events, the state, and the fields that are observed.
enum NavigationEvent: Sendable {
  case heading(Int)
  case speed(Double)
  case satellites(Int)
}

struct NavigationState: AggregateState, Equatable {
  var heading = 0
  var speed = 0.0
  var satellites: Int?

  mutating func apply(_ event: NavigationEvent) {
    switch event {
    case .heading(let heading): self.heading = heading
    case .speed(let speed): self.speed = speed
    case .satellites(let satellites): self.satellites = satellites
    }
  }
}
