import RASPCommands
import Streams
import TestSupport
import Testing

private struct WelcomeAction: Action {
  let userID: String

  func handle(publish: Publisher<WelcomeAction>) async throws -> String {
    publish(.progress)
    await Task.yield()
    return "Hello \(userID)"
  }
}

private struct LoginFact: Fact {
  let username: String
}

@Suite("The seeds' other examples")
struct SeedTests {
  @Test("WelcomeAction greets, without being registered")
  func welcome() async throws {
    let engine = Engine()
    let seen = Log<String>()
    let token = engine.react(to: WelcomeAction.self, wait: { seen.note("wait") }, consume: seen.note)
    #expect(try await engine.execute(WelcomeAction(userID: "11")).value == "Hello 11")
    #expect(seen.entries == ["wait", "Hello 11"])
    withExtendedLifetime(token) {}
  }

  @Test("LoginFact sets the title of the profile, as long as there is a profile")
  func login() {
    final class Profile: Sendable {
      let title = Lock("")
    }
    let engine = Engine()
    let profile = Profile()
    engine.react(toFact: LoginFact.self, owner: profile) { profile, fact in
      profile.title.withLock { $0 = fact.username }
    }
    engine.post(LoginFact(username: "John Doe"))
    #expect(profile.title.withLock { $0 } == "John Doe")
  }

  @Test("logging and error middleware around commands and events")
  func middleware() throws {
    let engine = try Engine.answering()
    let log = Log<String>()
    engine.pipeCommands(through: [
      LogCommandMiddleware { log.note($0) },
      ErrorCommandMiddleware { error, command in log.note("\(command) \(error)") },
    ])
    engine.pipeEvents(through: [
      LogEventMiddleware { log.note($0) }, ErrorEventMiddleware { error, event in log.note("\(event.kind) \(error)") },
    ])
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

  @Test("the engine's error handler tells its own errors, its warnings, and others apart")
  func errorHandler() throws {
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

// MARK: A generic feature

private protocol DetailFeature: Sendable {
  associatedtype Model: Sendable & Equatable
  var resource: String { get }
  func model(_ text: String) throws -> Model
}

private struct DetailCommand<Feature: DetailFeature>: Command {
  typealias Output = Feature.Model
  let id: Int
}

private struct DetailCommandHandler<Feature: DetailFeature>: CommandHandler {
  let feature: Feature
  let fetch: @Sendable (String) async throws -> String

  func handle(
    _ command: DetailCommand<Feature>,
    publish: Publisher<DetailCommand<Feature>>
  ) async throws -> Feature.Model {
    publish(.progress)
    return try feature.model(await fetch("\(feature.resource)/\(command.id)"))
  }
}

private struct BookFeature: DetailFeature {
  let resource = "books"
  func model(_ text: String) throws -> String { text.uppercased() }
}

private struct AuthorFeature: DetailFeature {
  let resource = "authors"
  func model(_ text: String) throws -> Int { text.count }
}

@Suite("The seeds' generic detail feature")
struct DetailFeatureTests {
  @Test("a generic command is one command for each feature: its own handler, its own reactions, its own output")
  func features() async throws {
    let engine = Engine()
    try engine.use(DetailCommandHandler(feature: BookFeature()) { $0 })
    try engine.use(DetailCommandHandler(feature: AuthorFeature()) { $0 })
    let (books, authors) = (Log<String>(), Log<Int>())
    let tokens = [
      engine.react(to: DetailCommand<BookFeature>.self, consume: books.note),
      engine.react(to: DetailCommand<AuthorFeature>.self, consume: authors.note),
    ]
    #expect(try await engine.execute(DetailCommand<BookFeature>(id: 1)).value == "BOOKS/1")
    #expect(try await engine.execute(DetailCommand<AuthorFeature>(id: 12)).value == 10)
    #expect(books.entries == ["BOOKS/1"])
    #expect(authors.entries == [10])
    #expect(throws: EngineError.duplicateHandler(DetailCommand<BookFeature>.self)) {
      try engine.use(DetailCommandHandler(feature: BookFeature()) { $0 })
    }
    withExtendedLifetime(tokens) {}
  }
}
