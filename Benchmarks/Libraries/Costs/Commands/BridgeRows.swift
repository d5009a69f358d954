import CostRows
import RASPCommandServices
import RASPCommands
import RASPServices

/// The rows of commands that send actions, and of stores that execute commands.
let bridgeRows: [CostRow] = [
  CostRow(
    "bridge.sendingTo",
    "Engine.value(of:) whose handler sends an action",
    should: 5_000,
    note: "an execution and an action"
  ) { _ in
    let work = WorkCounter()
    let cluster = cluster { On(Deposit.self) { _, _ in work.add() } }
    let engine = Engine()
    _ = must { try engine.use(Pay.self, sendingTo: cluster) { Deposit(amount: $0.amount) } }
    return { count in
      onThisThread {
        for value in 0..<count { try? await engine.value(of: Pay(amount: value)) }
      }
    }
  },
  CostRow(
    "bridge.storeExecutes",
    "Cluster.send whose store executes a command",
    should: 5_000,
    note: "an action and an execution; the engine as a model of any type"
  ) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    let cluster = cluster {
      Store(model: Engine.self)
        .execute(on: Deposit.self) { _ in Add(left: 1) }
        .with(model: engine)
    }
    let token = engine.react(to: Add.self, consume: { sink.see($0) })
    return { count in
      onThisThread {
        for _ in 0..<count { try? await cluster.send(action: Deposit(amount: 1)) }
      }
      withExtendedLifetime(token) {}
    }
  },
]

private struct Pay: Command {
  typealias Output = Void

  let amount: Int
}
