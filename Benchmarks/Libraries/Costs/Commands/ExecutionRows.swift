import CostRows
import RASPCommands
import RASPInsight
import Streams

/// The rows of commands whose handlers never wait, with and without reactions.
let executionRows = [
  CostRow("cmd.execute.sync", "Engine.execute, synchronous handler", should: 500) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    return { count in
      for value in 0..<count { if let output = engine.execute(Add(left: value)).outcome?.output { sink.see(output) } }
    }
  },
  CostRow("cmd.execute.react", "Engine.execute with reactions", should: 500, sizes: [1, 4, 16], of: "reactions") {
    size in
    let engine = Engine.adding()
    let sink = Sink()
    let tokens = (0..<size).map { _ in engine.react(to: Add.self, consume: { sink.see($0) }) }
    return { count in
      for value in 0..<count { engine.execute(Add(left: value)) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow("cmd.execute.events", "Engine.execute with a subscriber of events(of:)", should: 500) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    let token = engine.events(of: Add.self).subscribe { sink.see($0.output ?? 0) }
    return { count in
      for value in 0..<count { engine.execute(Add(left: value)) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("cmd.execute.action", "Engine.execute of an ActionCommand", should: 500) { _ in
    let engine = Engine()
    let sink = Sink()
    return { count in
      for value in 0..<count { if let output = engine.execute(Grow(by: value)).outcome?.output { sink.see(output) } }
    }
  },
  CostRow("cmd.execute.own", "Engine.execute with a reaction of its own", should: 500) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    let reaction = Reaction<Int>(consume: { sink.see($0) })
    return { count in
      for value in 0..<count { engine.execute(Add(left: value), reaction: reaction) }
    }
  },
  CostRow("cmd.execute.any", "Engine.execute(any Command)", should: 500) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    let token = engine.react(to: Add.self, consume: { sink.see($0) })
    let command: any Command = Add(left: 1)
    return { count in
      for _ in 0..<count { engine.execute(command) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "cmd.execute.progress",
    "Engine.execute whose handler publishes so many values (cost of all)",
    should: 600,
    sizes: [1, 4, 16],
    of: "values"
  ) { size in
    let engine = Engine()
    engine.handle(Add.self) { command, publish in
      for value in 0..<size { publish(data: value) }
      return command.left
    }
    let sink = Sink()
    let token = engine.react(to: Add.self, consume: { sink.see($0) })
    return { count in
      for value in 0..<count { engine.execute(Add(left: value)) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("cmd.execute.recorded", "Engine.execute, one reaction, recorded", should: 700) { _ in
    let engine = Engine.adding()
    let sink = Sink()
    let recorder = Insight().record(engine, as: "engine")
    let token = engine.react(to: Add.self, consume: { sink.see($0) })
    return { count in
      for value in 0..<count { engine.execute(Add(left: value)) }
      withExtendedLifetime((token, recorder)) {}
    }
  },
]

private struct Grow: ActionCommand {
  let amount: Int

  init(by amount: Int) { self.amount = amount }

  func handle(publish: Publisher<Grow>) throws -> Int { amount &+ 1 }
}
