import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Owners of reactions")
struct OwnerTests {
  private final class Screen: Sendable {
    let seen = Log<String>()
    let onDeinit: @Sendable () -> Void

    init(onDeinit: @escaping @Sendable () -> Void = {}) {
      self.onDeinit = onDeinit
    }

    deinit { onDeinit() }
  }

  @Test("REACT-06: a reaction does not keep its owner alive, and goes with it")
  func ownerGoes() throws {
    let engine = try Engine.answering()
    let (deinits, errors, tracker) = (Log<Void>(), Log<EngineError?>(), LifetimeTracker())
    engine.errorHandler = { errors.note($0 as? EngineError) }
    var screen: Screen? = Screen { deinits.note(()) }
    let seen = try #require(screen?.seen)
    if let screen {
      engine.react(to: Echo.self, owner: screen, consume: { screen, text in screen.seen.note(text) })
      engine.react(
        to: Echo.self,
        owner: screen,
        consume: { [object = tracker.make()] _, _ in withExtendedLifetime(object) { seen.note("with") } }
      )
      engine.react(toFact: Login.self, owner: screen) { screen, fact in screen.seen.note(fact.name) }
    }
    engine.execute(Echo(text: "1"))
    engine.post(Login(name: "kim"))
    #expect(seen.entries == ["1", "with", "kim"])
    screen = nil
    #expect(deinits.entries.count == 1)
    engine.execute(Echo(text: "2"))
    engine.post(Login(name: "lee"))
    #expect(seen.entries.count == 3)
    // No reaction is left, and the closures are gone.
    #expect(errors.entries == [.noListeners(Echo.self), .noListeners(FactCommand<Login>.self)])
    #expect(tracker.liveCount == 0)
  }

  @Test("disposeAll removes the reactions of that very object, to commands and facts, and no others")
  func disposeAll() throws {
    let engine = try Engine.answering()
    let screens = (0..<3).map { _ in Screen() }
    for screen in screens {
      engine.react(to: Echo.self, owner: screen, consume: { $0.seen.note($1) })
      engine.react(to: Ping.self, owner: screen, consume: { $0.seen.note("\($1)") })
      engine.react(toFact: Login.self, owner: screen) { $0.seen.note($1.name) }
    }
    engine.disposeAll(for: screens[1])
    engine.disposeAll(for: screens[1])
    engine.execute(Echo())
    engine.execute(Ping(number: 5))
    engine.post(Login(name: "kim"))
    #expect(screens.map(\.seen.entries) == [["echo", "5", "kim"], [], ["echo", "5", "kim"]])
    engine.react(to: Echo.self, owner: screens[1], consume: { $0.seen.note($1) })
    engine.execute(Echo())
    #expect(screens[1].seen.entries == ["echo"])
  }

  @Test("REACT-04: disposing a token removes it from its owner's book")
  func book() throws {
    let engine = try Engine.answering()
    let screen = Screen()
    let tokens = (0..<10).map { _ in engine.react(to: Echo.self, owner: screen, consume: { $0.seen.note($1) }) }
    #expect(engine.ownedReactionCount == 10)
    for token in tokens { token.cancel() }
    #expect(engine.ownedReactionCount == 0)
    engine.disposeAll(for: screen)
    engine.execute(Echo())
    #expect(screen.seen.entries.isEmpty)
  }

  @Test("an owner may dispose its reactions in its deinit, also when a reaction was its last user")
  func disposeInDeinit() throws {
    let engine = try Engine.answering()
    let holder = Lock<Screen?>(nil)
    let deinits = Log<String>()
    do {
      final class Owner: Sendable {
        let engine: Engine
        let deinits: Log<String>
        init(_ engine: Engine, _ deinits: Log<String>) {
          (self.engine, self.deinits) = (engine, deinits)
        }
        deinit {
          engine.disposeAll(for: self)
          deinits.note("deinit")
        }
      }
      let box = Lock<Owner?>(Owner(engine, deinits))
      if let owner = box.withLock({ $0 }) {
        engine.react(
          to: Echo.self,
          owner: owner,
          consume: { owner, _ in
            box.exchange(with: nil)
            owner.deinits.note("consume")
          }
        )
      }
      engine.execute(Echo())
      #expect(deinits.entries == ["consume", "deinit"])
    }
    #expect(engine.ownedReactionCount == 0)
    withExtendedLifetime(holder) {}
  }

  @Test("reactions of owners that are gone do not pile up in a channel without events")
  func sweeping() throws {
    let engine = Engine()
    for _ in 0..<1_000 {
      engine.react(to: Echo.self, owner: Screen(), consume: { $0.seen.note($1) })
    }
    #expect(engine.ownedReactionCount <= 64)
  }

  @Test("a token may be ignored, and cancelled")
  func token() throws {
    let engine = try Engine.answering()
    let screen = Screen()
    engine.react(to: Echo.self, owner: screen, wait: { $0.seen.note("wait") }, rescue: { $0.seen.note("\($1)") })
    engine.react(to: Echo.self, owner: screen, consume: { $0.seen.note($1) }).cancel()
    engine.publish(CommandEvent<Echo>.progress)
    engine.publish(CommandEvent<Echo>.data("data"))
    engine.publish(CommandEvent<Echo>.error(Broken()))
    #expect(screen.seen.entries == ["wait", #"Broken(reason: "broken")"#])
  }

  @Test("reactions do not outlive their owner, and run in the order of registration")
  func ownersAndOrder() throws {
    let engine = try Engine.answering()
    let seen = Log<Int>()
    final class Screen: Sendable {}
    var screens = (0..<100).map { _ in Screen() }
    for (number, screen) in screens.enumerated() {
      engine.react(to: Echo.self, owner: screen, consume: { _, _ in seen.note(number) })
    }
    engine.execute(Echo())
    #expect(seen.entries == Array(0..<100))
    screens.removeAll()
    engine.execute(Echo())
    #expect(seen.entries.count == 100)
    #expect(!engine.hasListeners(to: Echo.self))
  }
}

struct Login: Fact {
  let name: String
}
