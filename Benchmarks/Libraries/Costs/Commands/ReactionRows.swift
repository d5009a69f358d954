import CostRows
import RASPCommands
import Streams

/// The rows of reactions that come and go.
let reactionRows = [
  CostRow(
    "cmd.react.cancel",
    "react and cancel",
    should: 2_000,
    sizes: [1, 16, 256],
    of: "other reactions"
  ) { size in
    let engine = Engine.adding()
    let sink = Sink()
    let others = (0..<size).map { _ in engine.react(to: Add.self, consume: { sink.see($0) }) }
    return { count in
      for _ in 0..<count { engine.react(to: Add.self, consume: { sink.see($0) }).cancel() }
      withExtendedLifetime(others) {}
    }
  },
  CostRow("cmd.react.owner", "react with an owner, and cancel", should: 2_500) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    let owner = Owner()
    return { count in
      for _ in 0..<count { engine.react(to: Add.self, owner: owner, consume: { _, value in sink.see(value) }).cancel() }
    }
  },
  CostRow("cmd.execute.owned", "Engine.execute with a reaction that belongs to an object", should: 600) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    let owner = Owner()
    engine.react(to: Add.self, owner: owner, consume: { _, value in sink.see(value) })
    return { count in
      for value in 0..<count { engine.execute(Add(left: value)) }
      withExtendedLifetime(owner) {}
    }
  },
]

private final class Owner: Sendable {}
