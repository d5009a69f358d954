import RASPCommands
import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("Executing commands", .endsInTime)
struct ExecutionTests {
  @Test("CMD-01: a command runs its handler once, and what it returns goes to the reactions of that command")
  func runsOnce() throws {
    let engine = try Engine.answering()
    let (calls, sums, pings) = (Log<Add>(), Log<Int>(), Log<Int>())
    try engine.use(
      Add.self,
      synchronously: { command, _ in
        calls.note(command)
        return command.left + command.right
      }
    )
    let tokens = [
      engine.react(to: Add.self, consume: sums.note),
      engine.react(to: Ping.self, consume: pings.note),
    ]
    let execution = engine.execute(Add(left: 1, right: 2))
    #expect(calls.entries == [Add(left: 1, right: 2)])
    #expect(sums.entries == [3])
    #expect(pings.entries.isEmpty)
    #expect(execution.outcome?.output == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test("a synchronous handler runs on the thread of the sender and is done when execute returns")
  func synchronous() async throws {
    let engine = Engine()
    let threads = Log<UInt>()
    try engine.use(
      Echo.self,
      synchronously: { command, _ in
        threads.note(CurrentThread.id)
        return command.text
      }
    )
    engine.add(LogCommandMiddleware { _ in threads.note(CurrentThread.id) })
    await Threads.run(count: 1) { _ in
      #expect(engine.execute(Echo()).outcome?.output == "echo")
      #expect(threads.entries == Array(repeating: CurrentThread.id, count: 3))
    }
  }

  @Test("a synchronous handler stays synchronous behind a generic caller that does not know it")
  func synchronousBehindGenericCaller() throws {
    func register<Handler: CommandHandler>(_ handler: Handler, on engine: Engine) throws {
      try engine.use(handler)
    }
    let engine = Engine()
    try register(AddHandler(), on: engine)
    #expect(engine.execute(Add(left: 2, right: 2)).outcome?.output == 4)
  }

  @Test("an asynchronous handler runs in a task, and its value can be awaited by any number of tasks")
  func asynchronous() async throws {
    let engine = Engine()
    let gate = Latch()
    try engine.use(Echo.self) { command, _ in
      await gate.wait()
      return command.text
    }
    let execution = engine.execute(Echo(text: "later"))
    #expect(execution.outcome == nil)
    async let first = execution.value
    async let second = execution.value
    gate.open()
    #expect(try await [first, second] == ["later", "later"])
    #expect(try await execution.value == "later")
  }

  @Test("CMD-02: a command without a handler fails, is reported, and does nothing else")
  func noHandler() async throws {
    let engine = Engine()
    let (errors, events) = (Log<any Error>(), Log<String>())
    engine.errorHandler = errors.note
    let token = engine.react(to: Echo.self, wait: { events.note("wait") }, rescue: { _ in events.note("rescue") })
    let execution = engine.execute(Echo())
    #expect(execution.outcome?.failure as? EngineError == .noHandler(Echo.self))
    #expect(execution.publication == nil)
    #expect(errors.entries.map { $0 as? EngineError } == [.noHandler(Echo.self)])
    #expect(events.entries.isEmpty)
    await #expect(throws: EngineError.noHandler(Echo.self)) { try await execution.value }
    withExtendedLifetime(token) {}
  }

  @Test("CMD-02: an event without listeners is reported as a warning")
  func noListeners() throws {
    let engine = try Engine.answering()
    let errors = Log<EngineError?>()
    engine.errorHandler = { errors.note($0 as? EngineError) }
    engine.execute(Echo())
    #expect(errors.entries == [.noListeners(Echo.self)])
    #expect(EngineError.noListeners(Echo.self).isWarning)
    let token = engine.react(to: Echo.self)
    engine.execute(Echo())
    #expect(errors.entries.count == 1)
    token.cancel()
    engine.execute(Echo(), reaction: Reaction())
    #expect(errors.entries.count == 1)
  }

  @Test("CMD-03: a second handler is refused unless replacement is asked for, and the first keeps working")
  func duplicateHandler() throws {
    let engine = Engine()
    try engine.use(Echo.self, synchronously: { _, _ in "first" })
    #expect(throws: EngineError.duplicateHandler(Echo.self)) {
      try engine.use(Echo.self, synchronously: { _, _ in "second" })
    }
    #expect(engine.execute(Echo()).outcome?.output == "first")
    try engine.use(Echo.self, replacing: true, synchronously: { _, _ in "third" })
    #expect(engine.execute(Echo()).outcome?.output == "third")
  }

  @Test("a handler that was replaced finishes what it has begun")
  func replacedWhileRunning() async throws {
    let engine = Engine()
    let gate = Latch()
    try engine.use(Echo.self) { _, _ in
      await gate.wait()
      return "old"
    }
    let execution = engine.execute(Echo())
    try engine.use(Echo.self, replacing: true, synchronously: { _, _ in "new" })
    #expect(engine.execute(Echo()).outcome?.output == "new")
    gate.open()
    #expect(try await execution.value == "old")
  }

  @Test("cancelling the token of a handler takes it out and releases it, but not one that has replaced it")
  func handlerToken() throws {
    let engine = Engine()
    let tracker = LifetimeTracker()
    let first = try engine.use(Echo.self, synchronously: { [object = tracker.make()] _, _ in "\(object)" })
    first.cancel()
    #expect(tracker.liveCount == 0)
    #expect(engine.execute(Echo()).outcome?.failure as? EngineError == .noHandler(Echo.self))

    let second = try engine.use(Echo.self, synchronously: { _, _ in "second" })
    try engine.use(Echo.self, replacing: true, synchronously: { _, _ in "third" })
    first.cancel()
    second.cancel()
    #expect(engine.execute(Echo()).outcome?.output == "third")
  }

  @Test("contains says whether a type of command has a handler")
  func contains() throws {
    let engine = Engine()
    #expect(!engine.contains(Add.self))
    try engine.use(AddHandler())
    #expect(engine.contains(Add.self))
    #expect(!engine.contains(Echo.self))
  }

  @Test("CMD-04: what a handler throws reaches the reactions and the error handler, and the engine goes on")
  func handlerThrows() async throws {
    let engine = Engine()
    let (errors, rescued) = (Log<any Error>(), Log<any Error>())
    engine.errorHandler = errors.note
    try engine.use(
      Echo.self,
      synchronously: { command, _ in
        if command.text.isEmpty { throw Broken() }
        return command.text
      }
    )
    let token = engine.react(to: Echo.self, rescue: rescued.note)
    let execution = engine.execute(Echo(text: ""))
    #expect(execution.outcome?.failure as? Broken == Broken())
    #expect(rescued.entries.map { $0 as? Broken } == [Broken()])
    #expect(errors.entries.map { $0 as? Broken } == [Broken()])
    await #expect(throws: Broken()) { try await execution.value }
    #expect(engine.execute(Echo(text: "on")).outcome?.output == "on")
    withExtendedLifetime(token) {}
  }

  @Test("an error of another command is an error like any other, also one of the engine's own")
  func nestedFailure() async throws {
    let engine = Engine()
    let rescued = Log<EngineError?>()
    try engine.use(Echo.self) { _, publish in String(try await publish.engine.execute(Ping()).value) }
    let token = engine.react(to: Echo.self, rescue: { rescued.note($0 as? EngineError) })
    let outcome = await engine.execute(Echo()).wait()
    #expect(outcome.failure as? EngineError == .noHandler(Ping.self))
    #expect(rescued.entries == [.noHandler(Ping.self)])
    withExtendedLifetime(token) {}
  }

  @Test(
    "CMD-04: a handler that hands its command to an engine without a handler has failed, and its reactions hear of it"
  )
  func delegatedFailure() async throws {
    let (front, back) = (Engine(), Engine())
    let (events, errors) = (Log<String>(), Log<EngineError?>())
    front.errorHandler = { errors.note($0 as? EngineError) }
    try front.use(Echo.self) { command, publish in
      publish(.progress)
      return try await back.execute(command).value
    }
    let token = front.react(
      to: Echo.self,
      wait: { events.note("wait") },
      rescue: { error in events.note("rescue \(error as? EngineError == .noHandler(Echo.self))") }
    )
    let execution = front.execute(Echo())
    let outcome = await execution.wait()
    #expect(outcome.failure as? EngineError == .noHandler(Echo.self))
    #expect(events.entries == ["wait", "rescue true"])
    #expect(errors.entries == [.noHandler(Echo.self)])
    #expect(execution.publication?.isHandled == true)
    withExtendedLifetime(token) {}
  }

  @Test("an execution that is over holds neither its command's reactions nor its handler")
  func letsGo() async throws {
    let tracker = LifetimeTracker()
    var executions: [Execution<String>] = []
    do {
      let engine = Engine()
      try engine.use(Echo.self) { [object = tracker.make()] command, _ in
        withExtendedLifetime(object) { command.text }
      }
      engine.react(to: Echo.self, consume: { [object = tracker.make()] _ in _ = object }).detach()
      executions.append(engine.execute(Echo(), reaction: Reaction { [object = tracker.make()] in _ = object }))
      _ = await executions[0].wait()
    }
    // The task releases what it ran a moment after it has settled the execution.
    #expect(await eventually { tracker.liveCount == 0 })
    #expect(executions[0].outcome?.output == "echo")
  }

  @Test("a command may result in a tuple, or in nothing")
  func outputs() throws {
    struct Measure: Command { typealias Output = (low: Int, high: Int) }
    struct Reset: Command { typealias Output = Void }
    let engine = Engine()
    let seen = Log<Int>()
    try engine.use(Measure.self, synchronously: { _, _ in (1, 9) })
    try engine.use(Reset.self, synchronously: { _, _ in })
    let token = engine.react(to: Measure.self, consume: { seen.note($0.high - $0.low) })
    #expect(engine.execute(Measure()).outcome?.output?.high == 9)
    #expect(engine.execute(Reset()).outcome?.output != nil)
    #expect(seen.entries == [8])
    withExtendedLifetime(token) {}
  }
}
