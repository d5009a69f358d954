import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Engines", .endsInTime)
struct EngineTests {
  @Test("ENG-01: invalidating removes handlers, listeners, reactions, middleware and the error handler")
  func invalidate() throws {
    let engine = try Engine.answering()
    let (seen, ends, tracker) = (Log<String>(), Log<Void>(), LifetimeTracker())
    let token = engine.react(
      to: Echo.self,
      consume: { [object = tracker.make()] in
        _ = object
        seen.note($0)
      }
    )
    let stream = engine.events(of: Echo.self).subscribe { _ in
    } onEnd: { _ in
      ends.note(())
    }
    let screen = Log<String>()
    engine.react(to: Echo.self, owner: screen, consume: { $0.note($1) })
    engine.errorHandler = { [object = tracker.make()] _ in _ = object }
    try engine.use(Add.self, synchronously: { [object = tracker.make()] _, _ in withExtendedLifetime(object) { 0 } })
    engine.add(
      ClosureMiddleware<any Command>.abort { [object = tracker.make()] _ in withExtendedLifetime(object) { false } }
    )
    #expect(tracker.liveCount == 4)
    engine.invalidate()
    #expect(tracker.liveCount == 0)
    #expect(engine.errorHandler == nil)
    #expect(!engine.contains(Echo.self))
    #expect(!token.isActive)
    #expect(ends.entries.count == 1)
    #expect(engine.ownedReactionCount == 0)
    engine.execute(Echo())
    engine.publish(CommandEvent<Echo>.data("again"))
    #expect(seen.entries.isEmpty)
    #expect(screen.entries.isEmpty)
    withExtendedLifetime(stream) {}
  }

  @Test("ENG-01: an engine that was invalidated is as good as new")
  func afterInvalidate() throws {
    let engine = try Engine.answering()
    engine.invalidate()
    try engine.use(Echo.self, synchronously: { _, _ in "new" })
    let seen = Log<String>()
    let token = engine.react(to: Echo.self, consume: seen.note)
    engine.execute(Echo())
    #expect(seen.entries == ["new"])
    withExtendedLifetime(token) {}
  }

  @Test("ENG-01: two engines share nothing, and neither uses the shared one")
  func independent() throws {
    let (first, second) = (try Engine.answering(), Engine())
    let seen = Log<String>()
    let tokens = [
      second.react(to: Echo.self, consume: seen.note), Engine.shared.react(to: Echo.self, consume: seen.note),
    ]
    first.execute(Echo())
    #expect(seen.entries.isEmpty)
    #expect(!second.contains(Echo.self))
    first.invalidate()
    try second.use(Echo.self, synchronously: { command, _ in command.text })
    second.execute(Echo())
    #expect(seen.entries == ["echo"])
    withExtendedLifetime(tokens) {}
  }

  @Test("the shared engine is a convenience")
  func shared() async throws {
    struct Shared: ActionCommand {
      func handle(publish: Publisher<Shared>) throws -> String { "shared" }
    }
    #expect(try await Engine.shared.execute(Shared()).value == "shared")
  }

  @Test("invalidating in a reaction: the rest of the round and what waits in line are dropped")
  func invalidateInReaction() throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    let tokens = [
      engine.react(
        to: Echo.self,
        consume: { text in
          seen.note(text)
          engine.execute(Echo(text: "in line"))
          engine.invalidate()
        }
      ),
      engine.react(to: Echo.self, consume: seen.note),
    ]
    engine.execute(Echo(text: "first"))
    #expect(seen.entries == ["first"])
    withExtendedLifetime(tokens) {}
  }

  @Test("an execution goes on when its engine is invalidated or gone; its sender alone gets the outcome")
  func outlives() async throws {
    for releases in [false, true] {
      var engine: Engine? = Engine()
      let gate = Latch()
      let publications = Log<Bool>()
      try engine?.use(Echo.self) { command, publish in
        await gate.wait()
        publications.note(publish(.progress).isStopped)
        publications.note(publish.engine.execute(Ping()).outcome?.failure is EngineError)
        return command.text
      }
      let ends = Log<Void>()
      let stream = engine?.events(of: Echo.self).subscribe { _ in
      } onEnd: { _ in
        ends.note(())
      }
      let execution = engine?.execute(Echo())
      if releases { engine = nil } else { engine?.invalidate() }
      #expect(ends.entries.count == 1)
      gate.open()
      #expect(try await execution?.value == "echo")
      #expect(execution?.publication?.isStopped == true)
      #expect(publications.entries == [true, true])
      withExtendedLifetime(stream) {}
    }
  }

  @Test("neither tokens, streams, executions nor facts awaited keep an engine alive")
  func released() async throws {
    let tracker = LifetimeTracker()
    var engine: Engine? = Engine()
    try engine?.use(
      Echo.self,
      synchronously: { [object = tracker.make()] command, _ in
        withExtendedLifetime(object) { command.text }
      }
    )
    let token = engine?.react(to: Echo.self, consume: { _ in })
    let stream = engine?.events(of: Echo.self)
    let execution = engine?.execute(Echo())
    let middleware = engine?.pipeEvents(through: [])
    engine = nil
    #expect(tracker.liveCount == 0)
    #expect(token?.isActive == false)
    let ends = Log<Void>()
    let late = stream?.subscribe { _ in
    } onEnd: { _ in
      ends.note(())
    }
    #expect(ends.entries.count == 1)
    middleware?.cancel()
    withExtendedLifetime((execution, late)) {}
  }

  @Test("the error handler is called with one error at a time, and an error it causes comes afterwards")
  func errorHandler() {
    let engine = Engine()
    let journal = Log<String>()
    engine.errorHandler = { _ in
      journal.note("begin")
      if journal.entries.count < 5 { engine.execute(Echo()) }
      journal.note("end")
    }
    engine.execute(Echo())
    #expect(journal.entries == ["begin", "end", "begin", "end", "begin", "end"])
    engine.errorHandler = nil
    engine.execute(Echo())
    #expect(journal.entries.count == 6)
  }

  @Test("every error of an engine names the types, and says problem, meaning and remedy")
  func errors() {
    let errors: [EngineError] = [
      .noHandler(Echo.self), .duplicateHandler(Echo.self), .stopped(Echo.self), .timedOut(Echo.self),
      .notCompleted(Echo.self), .noListeners(Echo.self), .publishedTooLate(Echo.self), .lineGrown(Echo.self),
    ]
    for error in errors {
      #expect(error.description.contains("CommandsTests.Echo"))
      #expect(error.description.split(separator: ". ").count >= 3)
      #expect(!error.description.contains("\n"))
      #expect(error.commandType is Echo.Type)
    }
    #expect(Set(errors).count == errors.count)
    let warnings: [EngineError] = [.noListeners(Echo.self), .publishedTooLate(Echo.self), .lineGrown(Echo.self)]
    #expect(errors.filter(\.isWarning) == warnings)
    #expect(EngineError.noHandler(Echo.self) != .noHandler(Ping.self))
  }

  @Test("the engine's error handler tells its own errors, its warnings, and others apart")
  func errorHandlerTellsApart() throws {
    let engine = try Engine.answering()
    let log = Log<String>()
    engine.errorHandler = { error in
      switch error as? EngineError {
      case let error? where error.isWarning: log.note("warning")
      case .some: log.note("engine")
      case nil: log.note("other")
      }
    }
    engine.execute(Add(left: 1, right: 1))
    engine.execute(Echo())
    try engine.use(Add.self, synchronously: { _, _ in throw Broken() })
    engine.execute(Add(left: 1, right: 1), reaction: Reaction())
    #expect(log.entries == ["engine", "warning", "other"])
  }
}
