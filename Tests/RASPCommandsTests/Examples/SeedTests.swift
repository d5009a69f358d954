import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

/// What a user of Aftermath looks for.
@Suite("As a user of the seed", .endsInTime)
struct SeedTests {
  private struct Plain: CommandHandler {
    func handle(_ command: Ping, publish: Publisher<Ping>) throws -> Int {
      if command.number < 0 { throw Broken() }
      return command.number
    }
  }

  private struct Say: ActionCommand {
    let word: String
    func handle(publish: Publisher<Say>) throws -> String { word }
  }

  @Test("CMD-13: a handler and an action without async are done when execute returns")
  func withoutAsync() throws {
    let engine = Engine()
    try engine.use(Plain())
    #expect(engine.execute(Ping(number: 3)).outcome?.output == 3)
    #expect(engine.execute(Ping(number: -1)).outcome?.failure is Broken)
    #expect(engine.execute(Ping(number: 4)).outcome?.output == 4, "an error does not make it one that waits")
    #expect(engine.execute(Say(word: "hi")).outcome?.output == "hi")
  }

  @Test("CMD-12: an any Command is executed, with its result")
  func anyCommand() async throws {
    let engine = try Engine.answering()
    let commands: [any Command] = [Echo(text: "a"), Ping(number: 2)]
    let executions = commands.map { engine.execute($0) }
    #expect(executions[0].outcome?.output as? String == "a")
    #expect(try await executions[1].value as? Int == 2)
  }

  @Test("CMD-14: an execution lasts until the completion is called; further calls do nothing")
  func completion() async throws {
    let engine = Engine()
    let kept = Box<(Publisher<Echo>, Completion<Echo>)>()
    try engine.use(Echo.self, completing: { _, publish, done in kept.value = (publish, done) })
    let seen = Log<String>()
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    let execution = engine.execute(Echo())
    #expect(await eventually { kept.value != nil })
    if let (publish, done) = kept.take() {
      #expect(!publish(data: "early").isStopped)
      done(.success("late"))
      done(.failure(Broken()))
    }
    #expect(try await execution.value == "late")
    #expect(seen.entries == ["data early", "data late"])
    withExtendedLifetime(token) {}
  }

  @Test("CMD-14: a completion that is dropped fails the command, and the engine says why")
  func droppedCompletion() async throws {
    let engine = Engine()
    try engine.use(Echo.self, completing: { _, _, _ in })
    #expect(await engine.execute(Echo()).wait().failure as? EngineError == .notCompleted(Echo.self))
  }

  @Test("MW-10: piping replaces, adding adds, and both can be taken back")
  func piping() throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    func noting(_ name: String) -> LogCommandMiddleware { LogCommandMiddleware { _ in seen.note(name) } }
    engine.pipeCommands(through: [noting("a")])
    let second = engine.pipeCommands(through: [noting("b")])
    let third = engine.add(noting("c"))
    engine.execute(Ping())
    #expect(seen.entries == ["b", "c", "c", "b"])
    second.cancel()
    engine.execute(Ping())
    #expect(seen.entries.suffix(2) == ["c", "c"])
    third.cancel()
    engine.execute(Ping())
    #expect(seen.count == 6)
  }

  @Test("ready middleware does what that of the seed does")
  func readyMade() throws {
    let engine = try Engine.answering()
    engine.pipeCommands(through: [
      LogCommandMiddleware(), ErrorCommandMiddleware(), ClosureMiddleware<any Command>.abort { $0 is Echo },
      ClosureMiddleware<any Command>.fail { $0 is Add ? Broken() : nil },
    ])
    engine.pipeEvents(through: [ClosureMiddleware.log(), ClosureMiddleware.onError()])
    #expect(engine.execute(Echo()).outcome?.isStopped == true)
    #expect(engine.execute(Add(left: 1, right: 1)).outcome?.failure is Broken)
    #expect(engine.execute(Ping(number: 1)).outcome?.output == 1)
    engine.pipeCommands(through: [ClosureMiddleware<any Command>.abort()])
    #expect(engine.execute(Ping(number: 1)).outcome?.isStopped == true)
    engine.pipeCommands(through: [])
    engine.pipeEvents(through: [ClosureMiddleware.abort { $0.commandType == Echo.self }])
    #expect(engine.execute(Echo()).publication?.isStopped == true)
    #expect(engine.execute(Ping()).publication?.isStopped == false)
    engine.pipeEvents(through: [ClosureMiddleware.fail { $0.commandType == Echo.self ? Broken() : nil }])
    #expect(engine.execute(Echo()).publication?.failure is Broken)
  }
}
