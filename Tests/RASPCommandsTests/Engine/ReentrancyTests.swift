import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

/// The engine calls no user code while it holds a lock, so that user code may call the engine.
@Suite("Reentrancy", .endsInTime)
struct ReentrancyTests {
  /// Does everything there is to do on an engine.
  private static func doEverything(on engine: some EngineProtocol, _ journal: Log<String>) {
    let token = engine.react(to: Ping.self, consume: { journal.note("ping \($0)") })
    engine.execute(Ping(number: 1))
    engine.publish(CommandEvent<Ping>.data(2))
    let facts = engine.react(toFact: Login.self) { journal.note($0.name) }
    engine.post(Login(name: "kim"))
    token.cancel()
    facts.cancel()
    engine.disposeAll(for: journal)
    engine.pipeCommands(through: []).cancel()
    _ = try? engine.use(Add.self, replacing: true, synchronously: { command, _ in command.left + command.right })
    journal.note("\(engine.contains(Add.self))")
  }

  @Test("CMD-06: one may execute, publish, react, post and dispose inside a handler, on whatever thread")
  func insideHandlers() async throws {
    let engine = try Engine.answering()
    let journal = Log<String>()
    let expected = ["ping 1", "ping 2", "kim", "true"]
    try engine.use(
      Echo.self,
      replacing: true,
      synchronously: { _, publish in
        Self.doEverything(on: publish.engine, journal)
        return ""
      }
    )
    engine.execute(Echo())
    #expect(journal.entries == expected)
    try engine.use(Echo.self, replacing: true) { _, publish in
      await Task.yield()
      Self.doEverything(on: publish.engine, journal)
      return ""
    }
    _ = await engine.execute(Echo()).wait()
    #expect(journal.entries == expected + expected)
  }

  @Test("CMD-06: one may do so inside every closure of a reaction")
  func insideReactions() throws {
    let engine = try Engine.answering()
    let journal = Log<String>()
    let token = engine.react(
      to: Echo.self,
      wait: { Self.doEverything(on: engine, journal) },
      consume: { _ in Self.doEverything(on: engine, journal) },
      rescue: { _ in Self.doEverything(on: engine, journal) }
    )
    engine.publish(CommandEvent<Echo>.progress)
    engine.publish(CommandEvent<Echo>.data(""))
    engine.publish(CommandEvent<Echo>.error(Broken()))
    let expected = ["ping 1", "ping 2", "kim", "true"]
    #expect(journal.entries == expected + expected + expected)
    engine.invalidate()
    withExtendedLifetime(token) {}
  }

  @Test("CMD-06: one may do so inside middleware and the error handler")
  func insideMiddleware() throws {
    let engine = try Engine.answering()
    let (before, event, error) = (Log<String>(), Log<String>(), Log<String>())
    engine.add(
      Around { command, next in
        if command is Echo { Self.doEverything(on: next.engine, before) }
        return next(command)
      }
    )
    engine.add(
      AroundEvents { published, next in
        if published.commandType is Echo.Type { Self.doEverything(on: next.engine, event) }
        return next(published)
      }
    )
    engine.errorHandler = { if $0 is Broken { Self.doEverything(on: engine, error) } }
    try engine.use(Echo.self, replacing: true, synchronously: { _, _ in throw Broken() })
    engine.execute(Echo(), reaction: Reaction())
    let expected = ["ping 1", "ping 2", "kim", "true"]
    #expect([before, event, error].map(\.entries) == [expected, expected, expected])
    engine.invalidate()
  }

  @Test("CMD-06: what is published inside a reaction comes after the event of the moment, to all in the same order")
  func noOvertaking() throws {
    let engine = try Engine.answering()
    let (first, second) = (Log<Int>(), Log<Int>())
    let tokens = [
      engine.react(
        to: Ping.self,
        consume: { number in
          first.note(number)
          if number == 0 { for next in 1...3 { engine.execute(Ping(number: next)) } }
        }
      ),
      engine.react(to: Ping.self, consume: second.note),
    ]
    engine.execute(Ping())
    #expect(first.entries == [0, 1, 2, 3])
    #expect(second.entries == [0, 1, 2, 3])
    withExtendedLifetime(tokens) {}
  }

  @Test("a handler that throws leaves nothing locked: the next command, of any type, from any thread, works")
  func throwingHandler() async throws {
    let engine = try Engine.answering()
    try engine.use(Add.self, synchronously: { _, _ in throw Broken() })
    #expect(engine.execute(Add(left: 1, right: 1)).outcome?.failure is Broken)
    #expect(engine.execute(Echo()).outcome?.output == "echo")
    await Threads.run(count: 2) { number in
      #expect(engine.execute(Add(left: 1, right: 1)).outcome?.failure is Broken)
      #expect(engine.execute(Ping(number: number)).outcome?.output == number)
    }
  }
}
