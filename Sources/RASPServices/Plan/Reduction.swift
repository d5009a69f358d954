import Aggregate
import Streams

/// The work of a reducer: folds an action, calls the watchers, and runs the side effect.
final class Reduction: HandlerWork {
  private let aggregator: Aggregator<ReducerState>
  /// The actor that `reduce` belongs to. All actions are folded there.
  private let isolation: (any Actor)?
  private let scope: Scope?
  private let effects: EffectRunner

  init(_ cell: any ReducerCell, isolation: (any Actor)?, in scope: Scope?, _ effects: EffectRunner) {
    aggregator = Aggregator(initial: ReducerState(cell))
    self.isolation = isolation
    self.scope = scope
    self.effects = effects
  }

  @inline(__always)  // Saves an asynchronous frame.
  nonisolated(nonsending) func run(_ action: any Action, _ call: Call) async throws {
    let folding = Folding(action)
    try await call.run(in: scope) {
      // Folding begins in the call, so no other thread folds what belongs to an actor: all its actions come from there.
      let isAccepted =
        if let isolation { await send(folding, on: isolation) } else { aggregator.send(folding) }
      guard isAccepted else { return }
      // Another thread may be folding. Then it folds this action too.
      if !folding.isFolded { await folding.waitUntilFolded() }
      let (notices, effect) = folding.take()
      for notice in notices { await notice(call) }
      if let effect { try await effects.run(of: action, in: call, effect) }
    }
  }

  private func send(_ folding: Folding, on actor: isolated any Actor) -> Bool {
    aggregator.send(folding)
  }
}
