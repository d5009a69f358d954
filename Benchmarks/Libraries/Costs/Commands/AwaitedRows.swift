import CostRows
import RASPCommands
import RASPTesting
import Streams

/// The rows of commands whose result is awaited. Those whose handler waits make tasks, which run on several threads.
let awaitedRows = [
  CostRow("cmd.value.sync", "Engine.value(of:), synchronous handler", should: 600) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    return { count in
      onThisThread {
        for value in 0..<count { sink.see((try? await engine.value(of: Add(left: value))) ?? 0) }
      }
    }
  },
  CostRow("cmd.value.async", "Engine.value(of:), asynchronous handler that calls an actor", should: 3_000) { _ in
    let engine = Engine()
    let account = Account()
    engine.handleLater(Add.self) { command, _ in await account.add(command.left) }
    let sink = Sink()
    return { count in
      onThisThread {
        for value in 0..<count { sink.see((try? await engine.value(of: Add(left: value))) ?? 0) }
      }
    }
  },
  CostRow(
    "cmd.execute.async.value",
    "Engine.execute(…).value, asynchronous handler that calls an actor",
    should: 5_000
  ) { _ in
    let engine = Engine()
    let account = Account()
    engine.handleLater(Add.self) { command, _ in await account.add(command.left) }
    let sink = Sink()
    return { count in
      onThisThread {
        for value in 0..<count { sink.see((try? await engine.execute(Add(left: value)).value) ?? 0) }
      }
    }
  },
  CostRow("cmd.execute.serial.async", "Engine.value(of:), overlap .serial, asynchronous handler", should: 5_000) {
    _ in
    let engine = Engine()
    let account = Account()
    engine.handleLater(Save.self) { _, _ in await account.add(1) }
    return { count in
      onThisThread {
        for _ in 0..<count { _ = try? await engine.value(of: Save()) }
      }
    }
  },
  CostRow("cmd.execute.limited.async", "Engine.value(of:) with a time limit, asynchronous handler", should: 6_000) { _ in
    let engine = Engine(scheduler: VirtualScheduler())
    let account = Account()
    engine.handleLater(Load.self) { _, _ in await account.add(1) }
    return { count in
      onThisThread {
        for _ in 0..<count { _ = try? await engine.value(of: Load()) }
      }
    }
  },
  CostRow("cmd.completing", "Engine.value(of:), completing handler", should: 5_000) { _ in
    let engine = Engine()
    _ = must { try engine.use(Add.self, completing: { command, _, done in done(.success(command.left)) }) }
    let sink = Sink()
    return { count in
      onThisThread {
        for value in 0..<count { sink.see((try? await engine.value(of: Add(left: value))) ?? 0) }
      }
    }
  },
]

private actor Account {
  private var balance = 0

  func add(_ amount: Int) -> Int {
    balance &+= amount
    return balance
  }
}

private struct Save: Command {
  typealias Output = Int
  static let overlap = OverlapPolicy.serial
}

private struct Load: Command {
  typealias Output = Int
  static let timeLimit: Duration? = .seconds(100)
}
