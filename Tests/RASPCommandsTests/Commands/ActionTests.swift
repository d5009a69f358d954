import RASPCommands
import Streams
import TestSupport
import Testing

@Suite("Actions and builders", .endsInTime)
struct ActionTests {
  private struct Greet: ActionCommand {
    let name: String
    func handle(publish: Publisher<Greet>) async throws -> String {
      publish(.progress)
      return "Hello, \(name)"
    }
  }

  private struct Welcome: ActionCommand {
    let userID: String

    func handle(publish: Publisher<Welcome>) async throws -> String {
      publish(.progress)
      await Task.yield()
      return "Hello \(userID)"
    }
  }

  private struct Double: ActionCommand {
    let number: Int
    func handle(publish: Publisher<Double>) throws -> Int { number * 2 }
  }

  @Test("an action is handled by the instance that was executed, every time")
  func ownInstance() async throws {
    let engine = Engine()
    let seen = Log<String>()
    let token = engine.react(to: Greet.self, consume: seen.note)
    for name in ["Ada", "Kim", "Lee"] { _ = try await engine.execute(Greet(name: name)).value }
    #expect(seen.entries == ["Hello, Ada", "Hello, Kim", "Hello, Lee"])
    withExtendedLifetime(token) {}
  }

  @Test("a synchronous action is handled by the instance that was executed, every time")
  func ownInstanceSynchronously() {
    struct Say: ActionCommand {
      let word: String
      func handle(publish: Publisher<Say>) throws -> String { word }
    }
    let engine = Engine()
    #expect(["a", "b", "c"].map { engine.execute(Say(word: $0)).outcome?.output } == ["a", "b", "c"])
  }

  @Test("a synchronous action is done when execute returns")
  func synchronous() {
    #expect(Engine().execute(Double(number: 21)).outcome?.output == 42)
  }

  @Test("an action is one also for a caller that only knows it as a command")
  func behindGenericCaller() {
    func run<C: Command>(_ command: C, on engine: Engine) -> C.Output? { engine.execute(command).outcome?.output }
    #expect(run(Double(number: 4), on: Engine()) == 8)
  }

  @Test("an engine contains every action; another handler is refused unless it is to replace, which can be undone")
  func replacing() throws {
    let engine = Engine()
    #expect(engine.contains(Double.self))
    #expect(throws: EngineError.duplicateHandler(Double.self)) {
      try engine.use(Double.self, synchronously: { _, _ in 0 })
    }
    let undo: [@Sendable (Registration) -> Void] = [{ $0.cancel() }, { _ in engine.invalidate() }]
    for undo in undo {
      let token = try engine.use(Double.self, replacing: true, synchronously: { _, _ in -1 })
      #expect(engine.execute(Double(number: 1)).outcome?.output == -1)
      undo(token)
      #expect(engine.execute(Double(number: 1)).outcome?.output == 2)
    }
  }

  @Test("a reaction that is a value is registered to a type of command or to one execution")
  func reactionAsValue() throws {
    let engine = Engine()
    try engine.use(AddHandler())
    let (all, one) = (Log<Int>(), Log<Int>())
    let token = engine.react(to: Add.self, with: Reaction(consume: all.note))
    engine.execute(Add(left: 1, right: 1), reaction: Reaction(consume: one.note))
    engine.execute(Add(left: 2, right: 2))
    #expect(all.entries == [2, 4])
    #expect(one.entries == [2])
    withExtendedLifetime(token) {}
  }

  @Test("an action needs no registration, and its reactions hear of its progress and its output")
  func welcome() async throws {
    let engine = Engine()
    let seen = Log<String>()
    let token = engine.react(to: Welcome.self, wait: { seen.note("wait") }, consume: seen.note)
    #expect(try await engine.execute(Welcome(userID: "11")).value == "Hello 11")
    #expect(seen.entries == ["wait", "Hello 11"])
    withExtendedLifetime(token) {}
  }
}
