import Aggregate
import RASPTesting

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

/// A state that refuses events, and does so half-way through its changes.
struct Account: AggregateState, Equatable {
  enum Refusal: Error, Equatable {
    case overdrawn(by: Int)
  }

  var bookings: [Int] = []
  var balance = 0

  mutating func apply(_ amount: Int) throws(Refusal) {
    bookings.append(amount)
    balance += amount
    if balance < 0 { throw .overdrawn(by: -balance) }
  }
}

/// A state whose events are what is done to it, for tests that do odd things from inside `apply`.
struct Scripted: AggregateState {
  struct Step: Sendable {
    let run: @Sendable (inout Scripted) -> Void
  }

  var value = 0
  var objects: [LifetimeTracker.Object] = []

  mutating func apply(_ step: Step) {
    step.run(&self)
  }
}

extension Aggregator<Scripted> {
  @discardableResult
  func run(_ body: @escaping @Sendable (inout Scripted) -> Void) -> Bool {
    send(Scripted.Step(run: body))
  }
}

/// The same for a state that may refuse, and is therefore folded in a copy.
struct GuardedScript: AggregateState {
  struct Step: Sendable {
    let run: @Sendable (inout GuardedScript) throws(Account.Refusal) -> Void
  }

  var value = 0

  mutating func apply(_ step: Step) throws(Account.Refusal) {
    try step.run(&self)
  }
}
