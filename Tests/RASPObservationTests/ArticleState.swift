import Aggregate

nonisolated enum FormEvent: Sendable {
  case rename(String)
  case agree(Bool)
}

nonisolated struct FormState: AggregateState {
  var name = ""
  var hasAgreed = false

  var canSend: Bool { hasAgreed && !name.isEmpty }

  mutating func apply(_ event: FormEvent) {
    switch event {
    case .rename(let name): self.name = name
    case .agree(let hasAgreed): self.hasAgreed = hasAgreed
    }
  }
}

nonisolated struct StationEvent: Sendable {
  let station: String
  let celsius: Double
}

/// What the article calls a station.
nonisolated struct StationState: AggregateState {
  var celsius = 0.0

  mutating func apply(_ event: StationEvent) { celsius = event.celsius }
}
