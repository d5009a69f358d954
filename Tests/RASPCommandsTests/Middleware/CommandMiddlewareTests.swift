import RASPCommands
import Streams
import TestSupport
import Testing

@Suite("Command middleware", .endsInTime)
struct CommandMiddlewareTests {
  @Test(
    "MW-01: middleware runs in the order given, then the handler, and sees what the one before it changed",
    arguments: Form.allCases
  )
  func order(form: Form) async throws {
    let engine = Engine()
    let journal = Log<String>()
    try engine.use(
      Echo.self,
      synchronously: { command, _ in
        journal.note("handler \(command.text)")
        return command.text
      }
    )
    for name in ["a", "b"] {
      engine.add(
        form.middleware(
          before: { command, _ in
            guard var echo = command as? Echo else { return command }
            journal.note("before \(name) \(echo.text)")
            echo.text += name
            return echo
          },
          after: { _, _ in
            journal.note("after \(name)")
            return .accept
          }
        )
      )
    }
    let outcome = await engine.execute(Echo(text: "-")).wait()
    #expect(outcome.output == "-ab")
    #expect(journal.entries == ["before a -", "before b -a", "handler -ab", "after b", "after a"])
  }

  @Test(
    "MW-02: what a middleware executes itself goes through the whole chain from the start",
    arguments: Form.allCases
  )
  func executes(form: Form) async throws {
    let engine = try Engine.answering()
    let journal = Log<String>()
    engine.add(
      LogCommandMiddleware { journal.note($0) },
      form.middleware(before: { command, engine in
        if command is Echo { engine.execute(Ping(number: 1)) }
        return command
      })
    )
    _ = await engine.execute(Echo()).wait()
    #expect(await eventually { journal.entries.count >= 4 })
    #expect(journal.entries.first == #"execute Echo(text: "echo")"#)
    #expect(
      Set(journal.entries) == [
        #"execute Echo(text: "echo")"#, "execute Ping(number: 1)", "handled Ping(number: 1)",
        #"handled Echo(text: "echo")"#,
      ]
    )
  }

  @Test(
    "MW-03: a middleware that does not call next stops the command, and the sender can tell",
    arguments: Form.allCases
  )
  func stops(form: Form) async throws {
    let engine = Engine()
    let (journal, errors) = (Log<String>(), Log<any Error>())
    engine.errorHandler = errors.note
    try engine.use(
      Echo.self,
      synchronously: { command, _ in
        journal.note("handler")
        return command.text
      }
    )
    let token = engine.events(of: Echo.self).subscribe { journal.note($0.text) }
    engine.add(form.middleware(before: { _, _ in nil }))
    let execution = engine.execute(Echo())
    #expect(await execution.wait().isStopped)
    #expect(execution.publication == nil)
    #expect(journal.entries.isEmpty)
    #expect(errors.entries.isEmpty)
    await #expect(throws: EngineError.stopped(Echo.self)) { try await execution.value }
    withExtendedLifetime(token) {}
  }

  @Test("a retry calls the handler again; only what it comes to in the end is an event", arguments: Form.allCases)
  func retries(form: Form) async throws {
    let engine = Engine()
    let (attempts, journal, errors) = (Log<Void>(), Log<String>(), Log<any Error>())
    engine.errorHandler = errors.note
    try engine.use(
      Echo.self,
      synchronously: { command, _ in
        attempts.note(())
        if attempts.entries.count < 3 { throw Broken() }
        return command.text
      }
    )
    let token = engine.events(of: Echo.self).subscribe { journal.note($0.text) }
    engine.add(
      form.middleware(after: { outcome, attempt in
        if outcome.failure != nil, attempt < 3 { .retry(Echo(text: "attempt \(attempt + 1)")) } else { .accept }
      })
    )
    #expect(await engine.execute(Echo()).wait().output == "attempt 3")
    #expect(journal.entries == ["data attempt 3"])
    #expect(errors.entries.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test(
    "MW-07: an error of a middleware reaches the error handler and the reactions, through middleware further out",
    arguments: Form.allCases
  )
  func fails(form: Form) async throws {
    let engine = try Engine.answering()
    let (seen, rescued, errors) = (Log<Broken?>(), Log<Broken?>(), Log<Broken?>())
    engine.errorHandler = { errors.note($0 as? Broken) }
    let token = engine.react(to: Echo.self, rescue: { rescued.note($0 as? Broken) })
    engine.add(
      form.middleware(after: { outcome, _ in
        if let error = outcome.failure {
          seen.note(error as? Broken)
          throw Broken(reason: "outer")
        }
        return .accept
      }),
      form.middleware(before: { _, _ in throw Broken(reason: "inner") })
    )
    #expect(await engine.execute(Echo()).wait().failure as? Broken == Broken(reason: "outer"))
    #expect(seen.entries == [Broken(reason: "inner")])
    #expect(rescued.entries == [Broken(reason: "outer")])
    #expect(errors.entries == [Broken(reason: "outer")])
    withExtendedLifetime(token) {}
  }

  @Test(
    "a middleware may take back what came of a command: stopped, also after it was handled",
    arguments: Form.allCases
  )
  func takesBack(form: Form) async throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    engine.add(form.middleware(after: { _, _ in .stop }))
    #expect(await engine.execute(Echo()).wait().isStopped)
    #expect(seen.entries.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test(
    "MW-09: a command of another type that is passed on is carried out by its own handler, behind the middleware",
    arguments: Form.allCases
  )
  func otherCommand(form: Form) async throws {
    let engine = try Engine.answering()
    let (events, errors, seen) = (Log<String>(), Log<any Error>(), Log<String>())
    engine.errorHandler = errors.note
    let tokens = [
      engine.events(of: Echo.self).subscribe { events.note("echo \($0.text)") },
      engine.events(of: Ping.self).subscribe { events.note("ping \($0.text)") },
    ]
    engine.add(
      Around { command, next in
        seen.note("\(type(of: command))")
        return next(command)
      },
      form.middleware(
        before: { command, _ in command is Echo ? Ping(number: 7) : command },
        after: { outcome, _ in
          seen.note("\(outcome.failure == nil && !outcome.isStopped)")
          return .accept
        }
      )
    )
    let outcome = await engine.execute(Echo()).wait()
    #expect(outcome.isStopped)
    #expect(events.entries == ["ping data 7"])
    #expect(seen.entries == ["Echo", "true"], "the other command does not start the chain anew")
    #expect(errors.entries.isEmpty)
    withExtendedLifetime(tokens) {}
  }

  @Test("CMD-02: middleware sees commands without a handler, and may stop them", arguments: Form.allCases)
  func withoutHandler(form: Form) async {
    let engine = Engine()
    let errors = Log<EngineError?>()
    engine.errorHandler = { errors.note($0 as? EngineError) }
    let token = engine.add(
      form.middleware(after: { outcome, _ in
        if let error = outcome.failure { errors.note(error as? EngineError) }
        return .accept
      })
    )
    #expect(await engine.execute(Echo()).wait().failure as? EngineError == .noHandler(Echo.self))
    #expect(errors.entries == [.noHandler(Echo.self), .noHandler(Echo.self)])
    token.cancel()
    engine.add(form.middleware(before: { _, _ in nil }))
    #expect(await engine.execute(Echo()).wait().isStopped)
    #expect(errors.entries.count == 2)
  }

  @Test("MW-06: a change counts from the next command; a chain in progress is not affected")
  func changes() async throws {
    let engine = Engine()
    let journal = Log<String>()
    let gate = Latch()
    try engine.use(Echo.self) { command, publish in
      await gate.wait()
      publish(.progress)
      return command.text
    }
    let first = engine.execute(Echo(text: "first"))
    engine.add(LogCommandMiddleware { journal.note($0) })
    let events = engine.add(ClosureMiddleware<any AnyCommandEvent>.log { journal.note($0) })
    gate.open()
    _ = await first.wait()
    #expect(journal.entries.isEmpty)
    try engine.use(Echo.self, replacing: true, synchronously: { command, _ in command.text })
    engine.execute(Echo(text: "second"))
    #expect(
      journal.entries == [
        #"execute Echo(text: "second")"#, #"handled Echo(text: "second")"#, "publish data of Echo: second",
      ]
    )
    events.cancel()
    engine.execute(Echo(text: "third"))
    #expect(journal.entries.count == 5)
  }

  @Test("MW-06: middleware that a middleware adds does not see the command of the moment", arguments: Form.allCases)
  func addsMiddleware(form: Form) async throws {
    let engine = try Engine.answering()
    let journal = Log<String>()
    engine.add(
      form.middleware(before: { command, engine in
        engine.add(LogCommandMiddleware { journal.note($0) })
        return command
      })
    )
    _ = await engine.execute(Echo(text: "1")).wait()
    #expect(journal.entries.isEmpty)
    _ = await engine.execute(Echo(text: "2")).wait()
    #expect(journal.entries == [#"execute Echo(text: "2")"#, #"handled Echo(text: "2")"#])
  }
}
