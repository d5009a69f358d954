import RASPCommands
import Streams
import TestSupport
import Testing

@Suite("Facts", .endsInTime)
struct FactTests {
  private struct Logout: Fact {}

  @Test("FACT-01: a fact reaches every subscriber of its type, and of no other")
  func reaches() {
    let engine = Engine()
    let (logins, others, logouts) = (Log<String>(), Log<String>(), Log<String>())
    let tokens = [
      engine.react(toFact: Login.self) { logins.note($0.name) },
      engine.react(toFact: Login.self) { others.note($0.name) },
      engine.react(toFact: Logout.self) { _ in logouts.note("logout") },
    ]
    #expect(engine.post(Login(name: "kim")).isHandled)
    #expect(logins.entries == ["kim"])
    #expect(others.entries == ["kim"])
    #expect(logouts.entries.isEmpty)
    withExtendedLifetime(tokens) {}
  }

  @Test("a fact without a listener is reported as a warning, and kept nowhere")
  func noListener() {
    let engine = Engine()
    let errors = Log<EngineError?>()
    engine.errorHandler = { errors.note($0 as? EngineError) }
    engine.post(Logout())
    #expect(errors.entries == [.noListeners(FactCommand<Logout>.self)])
    let seen = Log<Void>()
    let token = engine.react(toFact: Logout.self) { _ in seen.note(()) }
    #expect(seen.entries.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("the first of the facts of a type is the next one that is posted")
  func next() async {
    let engine = Engine()
    let listening = Task { await engine.facts(of: Login.self).first()?.name }
    #expect(await eventually { engine.hasListeners(to: FactCommand<Login>.self) })
    engine.post(Logout())
    engine.post(Login(name: "kim"))
    engine.post(Login(name: "lee"))
    #expect(await listening.value == "kim")
  }

  @Test("waiting for the next fact ends when its task is cancelled, and when the engine is invalidated")
  func nextGivesUp() async {
    let engine = Engine()
    let cancelled = Task { await engine.facts(of: Login.self).first()?.name }
    cancelled.cancel()
    #expect(await cancelled.value == nil)
    let waiting = Task { await engine.facts(of: Login.self).first()?.name }
    #expect(await eventually { engine.hasListeners(to: FactCommand<Login>.self) })
    engine.invalidate()
    #expect(await waiting.value == nil)
  }

  @Test("facts as a stream miss none, also those posted inside a reaction")
  func stream() async {
    let engine = Engine()
    let token = engine.react(toFact: Logout.self) { _ in engine.post(Login(name: "again")) }
    var logins = engine.facts(of: Login.self).values(buffering: .unbounded).makeAsyncIterator()
    engine.post(Login(name: "kim"))
    engine.post(Logout())
    #expect(await logins.next()?.name == "kim")
    #expect(await logins.next()?.name == "again")
    withExtendedLifetime(token) {}
  }

  @Test("facts go through the event middleware")
  func middleware() {
    let engine = Engine()
    let seen = Log<String>()
    let token = engine.react(toFact: Login.self) { seen.note($0.name) }
    engine.add(
      ClosureMiddleware<any AnyCommandEvent>.abort { event in
        (event as? CommandEvent<FactCommand<Login>>)?.output?.name == "root"
      }
    )
    #expect(engine.post(Login(name: "root")).isStopped)
    #expect(engine.post(Login(name: "kim")).isHandled)
    #expect(seen.entries == ["kim"])
    withExtendedLifetime(token) {}
  }

  @Test("a reaction to a fact gets its owner")
  func owner() {
    final class Profile: Sendable {
      let title = Lock("")
    }
    let engine = Engine()
    let profile = Profile()
    engine.react(toFact: Login.self, owner: profile) { profile, fact in
      profile.title.withLock { $0 = fact.name }
    }
    engine.post(Login(name: "John Doe"))
    #expect(profile.title.withLock { $0 } == "John Doe")
  }
}
