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
