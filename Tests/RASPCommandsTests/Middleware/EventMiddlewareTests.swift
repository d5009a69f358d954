import Aggregate
import RASPCommands
import Streams
import TestSupport
import Testing

@Suite("Event middleware")
struct EventMiddlewareTests {
  @Test("MW-01: middleware runs in the order given, then the reactions; a changed event is what they see")
  func order() throws {
    let engine = try Engine.answering()
    let journal = Log<String>()
    let token = engine.react(to: Echo.self, consume: { journal.note("reaction \($0)") })
    for name in ["a", "b"] {
      engine.add(
        AroundEvents { event, next in
          guard let text = (event as? CommandEvent<Echo>)?.output else { return next(event) }
          journal.note("before \(name) \(text)")
          defer { journal.note("after \(name)") }
          return next(CommandEvent<Echo>.data(text + name))
        }
      )
    }
    // The sender gets what the handler returned.
    #expect(engine.execute(Echo(text: "-")).outcome?.output == "-")
    #expect(journal.entries == ["before a -", "before b -a", "reaction -ab", "after b", "after a"])
    withExtendedLifetime(token) {}
  }

  @Test("MW-03: the outcome of an event is visible to who publishes it: published, stopped, failed")
  func outcome() throws {
    let engine = Engine()
    let (seen, outcomes) = (Log<String>(), Log<Outcome<Void>>())
    engine.add(
      ClosureMiddleware<any AnyCommandEvent>.abort { $0.isProgress },
      ClosureMiddleware<any AnyCommandEvent>.fail { ($0 as? CommandEvent<Echo>)?.output == "bad" ? Broken() : nil }
    )
    try engine.use(
      Echo.self,
      synchronously: { command, publish in
        outcomes.note(publish(.progress))
        outcomes.note(publish(data: "good"))
        outcomes.note(publish(data: "bad"))
        return command.text
      }
    )
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    let execution = engine.execute(Echo(text: "bad"))
    #expect(outcomes.entries.map(\.isStopped) == [true, false, false])
    #expect(outcomes.entries.map(\.isHandled) == [false, true, false])
    #expect(outcomes.entries.map { $0.failure as? Broken } == [nil, nil, Broken()])
    // The command was handled, its last event was not delivered: both can be told.
    #expect(execution.outcome?.output == "bad")
    #expect(execution.publication?.failure as? Broken == Broken())
    let error = #"error Broken(reason: "broken")"#
    #expect(seen.entries == ["data good", error, error])
    withExtendedLifetime(token) {}
  }

  @Test("EVT-01: an error raised while publishing becomes one error event that does not pass the middleware again")
  func noLoop() throws {
    let engine = try Engine.answering()
    let (passes, seen, errors) = (Log<String>(), Log<String>(), Log<Broken?>())
    engine.errorHandler = { errors.note($0 as? Broken) }
    engine.add(
      AroundEvents { event, _ in
        passes.note("\(event.kind)")
        throw Broken()
      }
    )
    let token = engine.events(of: Echo.self).subscribe { seen.note($0.text) }
    engine.execute(Echo())
    #expect(passes.entries == ["data"])
    #expect(seen.entries == [#"error Broken(reason: "broken")"#])
    #expect(errors.entries == [Broken()])
    withExtendedLifetime(token) {}
  }

  @Test("MW-09: an event of another command that is passed on goes to the reactions to that command")
  func otherEvent() throws {
    let engine = try Engine.answering()
    let (seen, errors) = (Log<String>(), Log<EngineError?>())
    engine.errorHandler = { errors.note($0 as? EngineError) }
    engine.add(AroundEvents { _, next in next(CommandEvent<Ping>.data(1)) })
    let tokens = [
      engine.events(of: Echo.self).subscribe { seen.note("echo \($0.text)") },
      engine.events(of: Ping.self).subscribe { seen.note("ping \($0.text)") },
    ]
    let execution = engine.execute(Echo())
    #expect(execution.outcome?.output == "echo")
    #expect(execution.publication?.isStopped == true)
    #expect(seen.entries == ["ping data 1"])
    #expect(errors.entries.isEmpty)
    withExtendedLifetime(tokens) {}
  }

  private struct Counter: AggregateState {
    var total = 0
    mutating func apply(_ number: Int) { total += number }
  }

  @Test("MW-05: middleware reads the state before the event ahead of next, and the state after it behind next")
  func state() throws {
    let engine = try Engine.answering()
    let counter = Aggregator(initial: Counter(), sources: engine.events(of: Ping.self).compactMap(\.output))
    let totals = Log<Int>()
    engine.add(
      AroundEvents { event, next in
        totals.note(counter.snapshot.total)
        defer { totals.note(counter.snapshot.total) }
        return next(event)
      }
    )
    engine.execute(Ping(number: 3))
    engine.execute(Ping(number: 4))
    #expect(totals.entries == [0, 3, 3, 7])
  }

  @Test("MW-05: command middleware sees what a handler published on its way")
  func stateAroundCommands() throws {
    let engine = Engine()
    try engine.use(
      Ping.self,
      synchronously: { command, publish in
        publish(data: command.number)
        return 0
      }
    )
    let counter = Aggregator(initial: Counter(), sources: engine.events(of: Ping.self).compactMap(\.output))
    let totals = Log<Int>()
    engine.add(
      Around { command, next in
        totals.note(counter.snapshot.total)
        return next(command).then { outcome in
          totals.note(counter.snapshot.total)
          return MiddlewareResult(outcome)
        }
      }
    )
    engine.execute(Ping(number: 5))
    #expect(totals.entries == [0, 5])
  }

  @Test("MW-02: a middleware may publish and post itself, from the start of the chain")
  func publishes() throws {
    let engine = try Engine.answering()
    let (lines, names) = (Log<String>(), Log<String>())
    engine.add(
      ClosureMiddleware<any AnyCommandEvent>.log { lines.note($0) },
      AroundEvents { event, next in
        if event.commandType is Echo.Type { next.engine.post(Login(name: "from middleware")) }
        return next(event)
      }
    )
    let tokens = [
      engine.react(to: Echo.self), engine.react(toFact: Login.self) { names.note($0.name) },
    ]
    engine.execute(Echo())
    #expect(lines.entries.count == 2)
    #expect(names.entries == ["from middleware"])
    withExtendedLifetime(tokens) {}
  }

  @Test("a middleware may deliver an event twice")
  func twice() throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    let token = engine.react(to: Echo.self, consume: seen.note)
    engine.add(
      AroundEvents { event, next in
        _ = next(event)
        return next(event)
      }
    )
    #expect(engine.publish(CommandEvent<Echo>.data("again")).isHandled)
    #expect(seen.entries == ["again", "again"])
    withExtendedLifetime(token) {}
  }

  @Test("an event that was delivered counts as published, whatever a middleware says")
  func truth() {
    let engine = Engine()
    engine.add(
      AroundEvents { event, next in
        _ = next(event)
        return .stopped
      }
    )
    #expect(engine.publish(CommandEvent<Echo>.progress).isHandled)
  }
}
