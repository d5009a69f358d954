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

/// The entrance of a pipeline: two sources, of different types.
protocol NavigationInput {
  func send(heading: Int)
  func send(speed: Double)
}

extension NavigationInput {
  /// Alternating events, each of which changes one of the fields.
  @inline(__always)
  func sendAlternately(_ events: Int) {
    for event in 1...events {
      if event & 1 == 0 { send(heading: event) } else { send(speed: Double(event)) }
    }
  }
}
