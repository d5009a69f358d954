import Aggregate
import RASPTesting

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
