import RASPCommands
import RASPTesting
import TestSupport
import Testing

@Suite("Reactions as values, and what an error carries")
struct ReactionValueTests {
  private final class Screen: Sendable {}

  @Test("FACE-44: a reaction that is a value belongs to its owner, also on the main actor")
  @MainActor
  func values() async throws {
    let engine = try Engine.answering()
    let seen = Log<String>()
    let reaction = Reaction<String>(consume: { seen.note($0) })
    var screen: Screen? = Screen()
    if let screen {
      engine.react(to: Echo.self, owner: screen, with: reaction)
      engine.react(to: Echo.self, on: .shared, owner: screen, with: reaction)
    }
    engine.execute(Echo(text: "1"))
    #expect(seen.entries == ["1", "1"])
    screen = nil
    engine.execute(Echo(text: "2"))
    #expect(seen.entries.count == 2)
  }

  @Test("FACE-45: an error of the engine carries the command that has no handler, and the event that is lost")
  func carries() async throws {
    let engine = Engine()
    let errors = Log<EngineError>()
    engine.errorHandler = { error in if let error = error as? EngineError { errors.note(error) } }
    let failure = engine.execute(Echo(text: "lost")).outcome?.failure as? EngineError
    #expect((failure?.command as? Echo)?.text == "lost")
    #expect(failure == .noHandler(Echo.self))
    engine.post(Numbered(number: 7))
    let fact = (errors.entries.last?.event as? CommandEvent<FactCommand<Numbered>>).map { "\($0)" }
    #expect(fact?.contains("7") == true)
    #expect(errors.entries.last == .noListeners(FactCommand<Numbered>.self))
  }

  private struct Numbered: Fact {
    var number: Int
  }

  @Test("FACE-128: a type of a user that returns a handle has the members of an engine")
  func ownEngine() async throws {
    struct Library: EngineProtocol {
      let engine: Engine
      var handle: EngineHandle { engine.handle }
    }
    let library = Library(engine: try Engine.answering())
    #expect(try await library.value(of: Echo(text: "same")) == "same")
  }
}
