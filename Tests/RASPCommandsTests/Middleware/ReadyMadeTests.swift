import RASPCommands
import TestSupport
import Testing

@Suite("Ready-made middleware")
struct ReadyMadeTests {
  @Test("log: commands and events, what came of them, into the sink that was given")
  func log() throws {
    let engine = try Engine.answering()
    let lines = Log<String>()
    try engine.use(
      Add.self,
      synchronously: { _, publish in
        publish(.progress)
        publish(error: Broken())
        throw Broken()
      }
    )
    engine.add(
      LogCommandMiddleware { lines.note($0) },
      ClosureMiddleware<any Command>.abort { $0 is Ping }
    )
    engine.add(
      ClosureMiddleware<any AnyCommandEvent>.log { lines.note($0) },
      ClosureMiddleware<any AnyCommandEvent>.abort { $0.isProgress },
      ClosureMiddleware<any AnyCommandEvent>.fail { $0 is CommandEvent<Echo> ? Broken() : nil }
    )
    engine.execute(Ping(number: 1))
    engine.execute(Echo(text: "a"))
    engine.execute(Add(left: 1, right: 2))
    let error = #"Broken(reason: "broken")"#
    #expect(
      lines.entries == [
        "execute Ping(number: 1)", "stopped Ping(number: 1)",
        #"execute Echo(text: "a")"#, #"handled Echo(text: "a")"#,
        "publish data of Echo: a", "failed data of Echo: a: \(error)",
        "execute Add(left: 1, right: 2)", "publish progress of Add", "stopped progress of Add",
        "publish error of Add: \(error)", "failed Add(left: 1, right: 2): \(error)", "publish error of Add: \(error)",
      ]
    )
  }

  @Test("abort: stops commands and events, all of them unless it is told which")
  func abort() throws {
    let engine = try Engine.answering()
    let token = engine.add(ClosureMiddleware<any Command>.abort())
    #expect(engine.execute(Echo()).outcome?.isStopped == true)
    token.cancel()
    engine.add(ClosureMiddleware<any Command>.abort { $0 is Ping })
    #expect(engine.execute(Ping()).outcome?.isStopped == true)
    #expect(engine.execute(Echo()).outcome?.output == "echo")
    engine.add(ClosureMiddleware<any AnyCommandEvent>.abort())
    #expect(engine.execute(Echo()).publication?.isStopped == true)
  }

  @Test("fail: fails commands without their handler, and events")
  func fail() throws {
    let engine = try Engine.answering()
    let rescued = Log<Broken?>()
    let token = engine.react(to: Echo.self, rescue: { rescued.note($0 as? Broken) })
    let failing = engine.add(ClosureMiddleware<any Command>.fail { $0 is Echo ? Broken(reason: "door") : nil })
    #expect(engine.execute(Echo()).outcome?.failure as? Broken == Broken(reason: "door"))
    #expect(engine.execute(Ping(number: 2)).outcome?.output == 2)
    failing.cancel()
    engine.add(ClosureMiddleware<any AnyCommandEvent>.fail { $0.kind == "data" ? Broken(reason: "gate") : nil })
    #expect(engine.execute(Echo()).publication?.failure as? Broken == Broken(reason: "gate"))
    #expect(rescued.entries == [Broken(reason: "door"), Broken(reason: "gate")])
    withExtendedLifetime(token) {}
  }

  @Test("silence: a failure counts as stopped, with no event and no report; other failures pass")
  func silence() throws {
    let engine = Engine()
    try engine.use(Echo.self, synchronously: { command, _ in throw Broken(reason: command.text) })
    let (seen, errors) = (Log<String>(), Log<any Error>())
    engine.errorHandler = errors.note
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    engine.add(ClosureMiddleware<any Command>.silence { error, _ in (error as? Broken)?.reason == "hush" })
    #expect(engine.execute(Echo(text: "hush")).outcome?.isStopped == true)
    #expect(seen.entries.isEmpty)
    #expect(errors.entries.isEmpty)
    #expect(engine.execute(Echo(text: "loud")).outcome?.failure is Broken)
    #expect(seen.entries.count == 1)
    #expect(errors.entries.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test("silence: error events, and errors of middleware behind it, do not reach the reactions")
  func silenceEvents() throws {
    let engine = try Engine.answering()
    let (seen, errors) = (Log<String>(), Log<any Error>())
    engine.errorHandler = errors.note
    engine.add(
      ClosureMiddleware<any AnyCommandEvent>.silence { error, _ in error is Broken },
      ClosureMiddleware<any AnyCommandEvent>.fail { ($0 as? CommandEvent<Echo>)?.output == "bad" ? Broken() : nil }
    )
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    #expect(engine.publish(CommandEvent<Echo>.error(Broken())).isStopped)
    #expect(engine.execute(Echo(text: "bad")).publication?.isStopped == true)
    #expect(engine.publish(CommandEvent<Echo>.error(CancellationError())).isHandled)
    #expect(seen.entries == ["error CancellationError()"])
    #expect(errors.entries.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("error: hears of failures and of error events, and lets them pass")
  func error() throws {
    let engine = Engine()
    try engine.use(Echo.self, synchronously: { _, _ in throw Broken() })
    let (heard, rescued) = (Log<String>(), Log<Broken?>())
    engine.add(ErrorCommandMiddleware { heard.note("\($1) \($0)") })
    engine.add(
      ClosureMiddleware<any AnyCommandEvent>.onError { heard.note("\($1.kind) \($0)") },
      ClosureMiddleware<any AnyCommandEvent>.fail { $0.isProgress ? Broken(reason: "late") : nil }
    )
    let token = engine.react(to: Echo.self, rescue: { rescued.note($0 as? Broken) })
    #expect(engine.execute(Echo()).outcome?.failure is Broken)
    engine.publish(CommandEvent<Echo>.progress)
    #expect(
      heard.entries == [
        #"Echo(text: "echo") Broken(reason: "broken")"#, #"error Broken(reason: "broken")"#,
        #"progress Broken(reason: "late")"#,
      ]
    )
    #expect(rescued.entries == [Broken(), Broken(reason: "late")])
    withExtendedLifetime(token) {}
  }

  @Test("logging and error middleware around commands and events")
  func middleware() throws {
    let engine = try Engine.answering()
    let log = Log<String>()
    engine.add(
      LogCommandMiddleware { log.note($0) },
      ErrorCommandMiddleware { error, command in log.note("\(command) \(error)") }
    )
    engine.add(
      ClosureMiddleware<any AnyCommandEvent>.log { log.note($0) },
      ClosureMiddleware<any AnyCommandEvent>.onError { error, event in log.note("\(event.kind) \(error)") }
    )
    try engine.use(Echo.self, replacing: true, synchronously: { _, _ in throw Broken() })
    engine.execute(Echo())
    #expect(
      log.entries == [
        #"execute Echo(text: "echo")"#, #"Echo(text: "echo") Broken(reason: "broken")"#,
        #"failed Echo(text: "echo"): Broken(reason: "broken")"#,
        #"publish error of Echo: Broken(reason: "broken")"#, #"error Broken(reason: "broken")"#,
      ]
    )
  }
}
