import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

/// What was shown to go wrong in Aftermath by running it, and here does not.
@Suite("What Aftermath gets wrong", .timeLimit(.minutes(10)))
struct DefectTests {
  /// Does everything there is to do on an engine.
  private static func doEverything(on engine: Engine, _ journal: Log<String>) {
    let token = engine.react(to: Ping.self) { journal.note("ping \($0)") }
    engine.execute(Ping(number: 1))
    engine.publish(CommandEvent<Ping>.data(2))
    let facts = engine.react(toFact: Login.self) { journal.note($0.name) }
    engine.post(Login(name: "kim"))
    engine.dispose(token)
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
    engine.pipeCommands(through: [
      BeforeAndAfter(before: { command, engine in
        if command is Echo { Self.doEverything(on: engine, before) }
        return command
      })
    ])
    engine.pipeEvents(through: [
      AroundEvents { published, engine, next in
        if published.commandType is Echo.Type { Self.doEverything(on: engine, event) }
        return try next(published)
      }
    ])
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
      engine.react(to: Ping.self) { number in
        first.note(number)
        if number == 0 { for next in 1...3 { engine.execute(Ping(number: next)) } }
      },
      engine.react(to: Ping.self, consume: second.note),
    ]
    engine.execute(Ping())
    #expect(first.entries == [0, 1, 2, 3])
    #expect(second.entries == [0, 1, 2, 3])
    withExtendedLifetime(tokens) {}
  }

  @Test("a handler that throws leaves nothing locked: the next command, of any type, from any thread, works")
  func throwingHandler() throws {
    let engine = try Engine.answering()
    try engine.use(Add.self, synchronously: { _, _ in throw Broken() })
    #expect(engine.execute(Add(left: 1, right: 1)).outcome?.failure is Broken)
    #expect(engine.execute(Echo()).outcome?.output == "echo")
    Threads.run(count: 2) { number in
      #expect(engine.execute(Add(left: 1, right: 1)).outcome?.failure is Broken)
      #expect(engine.execute(Ping(number: number)).outcome?.output == number)
    }
  }

  @Test("disposeAll of one object leaves the reactions of others of its class alone")
  func disposeAll() throws {
    let engine = try Engine.answering()
    let screens = [Log<String>(), Log<String>()]
    for screen in screens { engine.react(to: Echo.self, owner: screen) { $0.note($1) } }
    engine.disposeAll(for: screens[0])
    engine.execute(Echo())
    #expect(screens.map(\.entries) == [[], ["echo"]])
  }

  @Test("executing with a reaction ten times runs that reaction once each time")
  func executeWithReaction() throws {
    let engine = try Engine.answering()
    let seen = Log<Int>()
    for number in 0..<10 { engine.execute(Ping(number: number), reaction: Reaction(consume: seen.note)) }
    #expect(seen.entries == Array(0..<10))
    #expect(!engine.hasListeners(to: Ping.self))
  }

  @Test("reactions do not outlive their owner, and run in the order of registration")
  func ownersAndOrder() throws {
    let engine = try Engine.answering()
    let seen = Log<Int>()
    final class Screen: Sendable {}
    var screens = (0..<100).map { _ in Screen() }
    for (number, screen) in screens.enumerated() {
      engine.react(to: Echo.self, owner: screen) { _, _ in seen.note(number) }
    }
    engine.execute(Echo())
    #expect(seen.entries == Array(0..<100))
    screens.removeAll()
    engine.execute(Echo())
    #expect(seen.entries.count == 100)
    #expect(!engine.hasListeners(to: Echo.self))
  }

  @Test("an action is handled by the instance that was executed, not by the first one for ever")
  func actions() {
    struct Say: SynchronousAction {
      let word: String
      func handle(publish: Publisher<Say>) throws -> String { word }
    }
    let engine = Engine()
    #expect(["a", "b", "c"].map { engine.execute(Say(word: $0)).outcome?.output } == ["a", "b", "c"])
  }

  @Test("a slow reaction does not hold up events of other commands on other threads")
  func slowReaction() throws {
    let engine = try Engine.answering()
    let gate = Gate()
    let tokens = [engine.react(to: Echo.self) { _ in gate.hold() }]
    let seen = Log<Int>()
    let ping = engine.react(to: Ping.self, consume: seen.note)
    Threads.run(
      { engine.execute(Echo()) },
      {
        gate.waitUntilHeld()
        // The reaction to `Echo` is running. Nothing else waits for it.
        engine.execute(Ping(number: 1))
        engine.post(Login(name: "kim"))
        engine.react(to: Echo.self) { _ in }.cancel()
        engine.execute(Echo(text: "in line"))
        #expect(seen.entries == [1])
        gate.open()
      }
    )
    withExtendedLifetime((tokens, ping)) {}
  }

  @Test("every table may be read and changed from many threads at once")
  func tables() throws {
    let engine = try Engine.answering()
    let screen = Log<Int>()
    Threads.run(count: 4) { thread in
      for round in 0..<500 {
        _ = try? engine.use(Add.self, replacing: true, synchronously: { command, _ in command.left })
        _ = engine.contains(Echo.self)
        let token = engine.react(to: Ping.self) { _ in }
        engine.react(to: Echo.self, owner: screen) { screen, _ in screen.note(thread) }
        engine.execute(Ping(number: round), reaction: Reaction())
        engine.execute(Echo())
        engine.pipeEvents(through: [AbortEventMiddleware { _ in false }]).cancel()
        engine.pipeCommands(through: [AbortCommandMiddleware { _ in false }]).cancel()
        engine.errorHandler = { _ in }
        engine.disposeAll(for: screen)
        engine.dispose(token)
        engine.post(Login(name: "kim"))
        if round.isMultiple(of: 100) { engine.invalidate() }
      }
    }
    engine.invalidate()
    #expect(engine.ownedReactionCount == 0)
  }
}
