import RASPCommands
import Streams
import TestSupport
import Testing

/// Commands of many types: one for each depth of nesting.
private struct Other<Nested>: Command {
  typealias Output = Int
}

private enum Deeper<Nested> {}

@Suite("What a command costs", .endsInTime)
struct CostTests {
  /// Registers a handler and two reactions for each of `count` other types of command.
  private func crowd<Nested>(_ engine: Engine, _ count: Int, _: Nested.Type, _ bag: SubscriptionBag) throws {
    guard count > 0 else { return }
    try engine.use(Other<Nested>.self, synchronously: { _, _ in count })
    engine.react(to: Other<Nested>.self, consume: { _ in }).store(in: bag)
    engine.react(to: Other<Nested>.self, consume: { _ in }).store(in: bag)
    try crowd(engine, count - 1, Deeper<Nested>.self, bag)
  }

  @Test(
    "an event is handed to the listeners of its own type only, however many others have handlers and listeners",
    arguments: [0, 1, 10, 100]
  )
  func listeners(others: Int) throws {
    let (engine, bag, calls) = (Engine(), SubscriptionBag(), Counter())
    try engine.use(AddHandler())
    try crowd(engine, others, Int.self, bag)
    let tokens = (0..<3).map { _ in engine.react(to: Add.self, consume: { _ in calls.increment() }) }
    #expect(engine.listenerCount(to: Add.self) == 3)
    for _ in 0..<100 { engine.execute(Add(left: 1, right: 1)) }
    #expect(calls.value == 300)
    withExtendedLifetime(tokens) {}
  }

  @Test("the reaction of an execution is none that other executions are handed to", arguments: [1, 1_000])
  func ownReactions(others: Int) async throws {
    let (engine, calls) = (Engine(), Counter())
    let gate = Latch()
    try engine.use(Ping.self) { command, _ in
      if command.number == 0 { await gate.wait() }
      return command.number
    }
    // One waits; the others are not handed to its reaction, and it is not handed to theirs.
    let waiting = engine.execute(Ping(), reaction: Reaction(consume: { _ in calls.increment() }))
    for number in 1...others {
      let execution = engine.execute(Ping(number: number), reaction: Reaction(consume: { _ in calls.increment() }))
      #expect(engine.listenerCount(to: Ping.self) == 0)
      _ = await execution.wait()
      #expect(calls.value == number)
    }
    gate.open()
    _ = await waiting.wait()
    #expect(calls.value == others + 1)
  }
}
