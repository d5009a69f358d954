import RASPCommands
import Streams
import Testing

/// Commands of many types: one for each depth of nesting.
private struct Other<Nested>: Command {
  typealias Output = Int
}

@Suite("What a command costs", .timeLimit(.minutes(10)))
struct CostTests {
  /// Registers a handler and two reactions for each of `count` other types of command.
  private func crowd<Nested>(_ engine: Engine, _ count: Int, _: Nested.Type, _ bag: SubscriptionBag) throws {
    guard count > 0 else { return }
    try engine.use(Other<Nested>.self, synchronously: { _, _ in count })
    engine.react(to: Other<Nested>.self) { _ in }.store(in: bag)
    engine.react(to: Other<Nested>.self) { _ in }.store(in: bag)
    try crowd(engine, count - 1, Optional<Nested>.self, bag)
  }

  #if DEBUG
    @Test(
      "a command looks at the listeners of its own type only, however many others have handlers and listeners",
      arguments: [0, 1, 10, 100]
    )
    func visits(others: Int) throws {
      let (engine, bag) = (Engine(), SubscriptionBag())
      try engine.use(AddHandler())
      try crowd(engine, others, Int.self, bag)
      let tokens = (0..<3).map { _ in engine.react(to: Add.self) { _ in } }
      for _ in 0..<100 { engine.execute(Add(left: 1, right: 1)) }
      #expect(engine.visitCount == 300)
      withExtendedLifetime(tokens) {}
    }

    @Test("the reaction of an execution costs other executions nothing", arguments: [1, 1_000])
    func ownReactions(others: Int) async throws {
      let engine = Engine()
      let gate = Latch()
      try engine.use(Ping.self) { command, _ in
        if command.number == 0 { await gate.wait() }
        return command.number
      }
      // One waits; its reaction is not looked at by the others, nor are theirs.
      let waiting = engine.execute(Ping(), reaction: Reaction())
      for number in 1...others { _ = await engine.execute(Ping(number: number), reaction: Reaction()).wait() }
      #expect(engine.visitCount == 0)
      gate.fire()
      _ = await waiting.wait()
    }
  #endif
}
