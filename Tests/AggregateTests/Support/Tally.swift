import Aggregate

/// The plainest of states: two fields that change apart.
struct Tally: AggregateState, Equatable {
  enum Event: Sendable, Equatable {
    case add(Int)
    case rename(String)
    case nothing
  }

  var count = 0
  var name = ""

  mutating func apply(_ event: Event) {
    switch event {
    case .add(let amount): count += amount
    case .rename(let name): self.name = name
    case .nothing: break
    }
  }
}

/// A state that remembers every event.
struct Journal: AggregateState, Equatable {
  var entries: [Int] = []

  mutating func apply(_ event: Int) {
    entries.append(event)
  }
}
