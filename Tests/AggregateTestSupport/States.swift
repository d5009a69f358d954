import Aggregate
import RASPTesting
import TestSupport

/// The plainest of states: two fields that change apart.
package struct Tally: AggregateState, Equatable {
  package enum Event: Sendable, Equatable {
    case add(Int)
    case rename(String)
    case nothing
  }

  package var count = 0
  package var name = ""

  package init(count: Int = 0, name: String = "") {
    self.count = count
    self.name = name
  }

  package mutating func apply(_ event: Event) {
    switch event {
    case .add(let amount): count += amount
    case .rename(let name): self.name = name
    case .nothing: break
    }
  }
}

/// A state that remembers every event.
package struct Journal: AggregateState, Equatable {
  package var entries: [Int] = []

  package init(entries: [Int] = []) {
    self.entries = entries
  }

  package mutating func apply(_ event: Int) {
    entries.append(event)
  }
}

/// A state that refuses events, and does so half-way through its changes.
package struct Account: AggregateState, Equatable {
  package enum Refusal: Error, Equatable {
    case overdrawn(by: Int)
  }

  package var bookings: [Int] = []
  package var balance = 0

  package init(bookings: [Int] = [], balance: Int = 0) {
    self.bookings = bookings
    self.balance = balance
  }

  package mutating func apply(_ amount: Int) throws(Refusal) {
    bookings.append(amount)
    balance += amount
    if balance < 0 { throw .overdrawn(by: -balance) }
  }
}

/// A state whose events are what is done to it, for tests that do odd things from inside `apply`.
package struct Scripted: AggregateState {
  package struct Step: Sendable {
    package let run: @Sendable (inout Scripted) -> Void

    package init(run: @escaping @Sendable (inout Scripted) -> Void) {
      self.run = run
    }
  }

  package var value = 0
  package var objects: [LifetimeTracker.Object] = []

  package init(value: Int = 0, objects: [LifetimeTracker.Object] = []) {
    self.value = value
    self.objects = objects
  }

  package mutating func apply(_ step: Step) {
    step.run(&self)
  }
}

extension Aggregator<Scripted> {
  @discardableResult
  package func run(_ body: @escaping @Sendable (inout Scripted) -> Void) -> Bool {
    send(Scripted.Step(run: body))
  }
}

/// The same for a state that may refuse, and is therefore folded in a copy.
package struct GuardedScript: AggregateState {
  package struct Step: Sendable {
    package let run: @Sendable (inout GuardedScript) throws(Account.Refusal) -> Void

    package init(run: @escaping @Sendable (inout GuardedScript) throws(Account.Refusal) -> Void) {
      self.run = run
    }
  }

  package var value = 0

  package init(value: Int = 0) {
    self.value = value
  }

  package mutating func apply(_ step: Step) throws(Account.Refusal) {
    try step.run(&self)
  }
}
