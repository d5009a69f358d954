import CostRows
import RASPCommands
import Streams

/// The rows of commands and events that pass middleware.
let middlewareRows = [
  CostRow(
    "cmd.execute.middleware",
    "Engine.execute through middleware",
    should: 1_500,
    sizes: [1, 4, 16],
    of: "middleware",
    note: "O(middleware): each gets the command as any type, and the rest of the chain as a closure"
  ) { size in
    let engine = Engine.adding()
    engine.pipeCommands(through: (0..<size).map { _ in PassCommands() })
    let sink = Sink()
    let token = engine.react(to: Add.self, consume: { sink.see($0) })
    return { count in
      for value in 0..<count { engine.execute(Add(left: value)) }
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "cmd.execute.eventMiddleware",
    "Engine.execute through middleware of events",
    should: 1_500,
    sizes: [1, 4, 16],
    of: "middleware",
    note: "O(middleware): each gets the event as any type, and the rest of the chain as a closure"
  ) { size in
    let engine = Engine.adding()
    engine.pipeEvents(through: (0..<size).map { _ in PassEvents() })
    let sink = Sink()
    let token = engine.react(to: Add.self, consume: { sink.see($0) })
    return { count in
      for value in 0..<count { engine.execute(Add(left: value)) }
      withExtendedLifetime(token) {}
    }
  },
]

private struct PassCommands: Middleware {
  func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
    next(command)
  }
}

private struct PassEvents: Middleware {
  func intercept(_ event: any AnyCommandEvent, next: Next<any AnyCommandEvent>) throws -> MiddlewareResult<
    any AnyCommandEvent
  > {
    next(event)
  }
}
