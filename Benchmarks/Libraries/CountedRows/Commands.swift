import Counting
import RASPCommands
import Streams

/// Commands.
let commandRows: [CountedRow] = [
  CountedRow("cmd.execute") {
    let engine = Engine()
    _ = must { try engine.use(Add.self, synchronously: { command, _ in command.left &+ 1 }) }
    let sink = Sink()
    let token = engine.react(to: Add.self, consume: { _ in sink.see(1) })
    return { count in
      let before = sink.sum
      for value in 0..<count { engine.execute(Add(left: value)) }
      precondition(sink.sum == before + count)
      withExtendedLifetime(token) {}
    }
  },
  CountedRow("cmd.value") {
    let engine = Engine()
    let account = Account()
    _ = must { try engine.use(Add.self) { command, _ in await account.add(command.left) } }
    return { count in
      onThisThread {
        for _ in 0..<count { _ = await must { try await engine.value(of: Add(left: 1)) } }
      }
    }
  },
]

private struct Add: Command {
  typealias Output = Int

  let left: Int
}

private actor Account {
  private var balance = 0

  func add(_ amount: Int) -> Int {
    balance &+= amount
    return balance
  }
}
