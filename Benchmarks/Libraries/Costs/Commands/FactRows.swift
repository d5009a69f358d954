import CostRows
import RASPCommands
import RASPInsight
import Streams

/// The rows of facts, and of events without a command.
let factRows = [
  CostRow("cmd.post.0", "Engine.post, no reaction", should: 500) { _ in
    let engine = Engine()
    return { count in
      for value in 0..<count { engine.post(Added(amount: value)) }
    }
  },
  CostRow("cmd.post", "Engine.post", should: 500, sizes: [1, 4, 16], of: "reactions", note: "O(reactions)") { size in
    let engine = Engine()
    let sink = Sink()
    let tokens = (0..<size).map { _ in engine.react(toFact: Added.self) { sink.see($0.amount) } }
    return { count in
      for value in 0..<count { engine.post(Added(amount: value)) }
      withExtendedLifetime(tokens) {}
    }
  },
  CostRow("cmd.post.facts", "Engine.post with a subscriber of facts(of:)", should: 500) { _ in
    let engine = Engine()
    let sink = Sink()
    let token = engine.facts(of: Added.self).subscribe { sink.see($0.amount) }
    return { count in
      for value in 0..<count { engine.post(Added(amount: value)) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow("cmd.post.recorded", "Engine.post, one reaction, recorded", should: 700) { _ in
    let engine = Engine()
    let sink = Sink()
    let recorder = Insight().record(engine, as: "engine")
    let token = engine.react(toFact: Added.self) { sink.see($0.amount) }
    return { count in
      for value in 0..<count { engine.post(Added(amount: value)) }
      withExtendedLifetime((token, recorder)) {}
    }
  },
  CostRow("cmd.post.reentrant", "Engine.post from inside a reaction, per fact", should: 700) { _ in
    let engine = Engine()
    let sink = Sink()
    // The fact counts down, and posts the next one.
    let token = engine.react(toFact: Added.self) { [handle = engine.handle] fact in
      sink.see(fact.amount)
      if fact.amount > 1 { handle.post(Added(amount: fact.amount - 1)) }
    }
    return { count in
      engine.post(Added(amount: count))
      withExtendedLifetime(token) {}
    }
  },
  CostRow("cmd.publish", "Engine.publish, one reaction", should: 500) { _ in
    let engine = Engine()
    let sink = Sink()
    let token = engine.react(to: Add.self, consume: { sink.see($0) })
    return { count in
      for value in 0..<count { engine.publish(CommandEvent<Add>.data(value)) }
      withExtendedLifetime(token) {}
    }
  },
]
