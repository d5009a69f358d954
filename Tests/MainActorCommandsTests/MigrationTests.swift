import RASPCommands
import RASPTesting
import Streams
import TestSupport
import Testing

/// What the article promises, as a user of Aftermath would try it, in a module that belongs to the main actor.
@Suite(.endsInTime)
struct MigrationTests {
  private nonisolated static let momo = [Book(title: "Momo")]
  private static let api = BookAPI { momo }
  private static let broken = BookAPI { throw NotLoggedIn() }

  @Test("REACT-07: a screen reacts on the main actor, and hears nothing after it disposed its reactions")
  func screen() async throws {
    let engine = Engine()
    try engine.use(BookListHandler(api: Self.api))
    let screen = BookListScreen()
    screen.load(with: engine)
    #expect(await eventually { screen.books == Self.momo })
    #expect(screen.isLoading)
    engine.publish(CommandEvent<BookList>.error(NotLoggedIn()))
    #expect(await eventually { screen.problem != nil })
    let published = Log<Void>()
    Task.detached {
      engine.publish(CommandEvent<BookList>.data([]))
      published.note(())
    }
    // The main actor is not free, so the event of the other thread waits.
    block { !published.entries.isEmpty }
    screen.close(engine)
    for _ in 0..<20 { await Task.yield() }
    #expect(screen.books == Self.momo, "the event that waited is dropped")
  }

  @Test("REACT-07: a reaction on the main actor does not keep its owner alive")
  func owner() async throws {
    let engine = Engine()
    weak var gone: BookListScreen?
    do {
      let screen = BookListScreen()
      screen.load(with: engine)
      gone = screen
      #expect(gone != nil)
    }
    #expect(await eventually { gone == nil })
    #expect(engine.publish(CommandEvent<BookList>.progress).failure == nil)
  }

  private final class Profile {
    var title = ""
  }

  private struct LoginFact: Fact {
    let username: String
  }

  @Test("REACT-07: a reaction to facts runs on the main actor, with an owner or with a token")
  func facts() async {
    let engine = Engine()
    let (profile, other) = (Profile(), Profile())
    engine.react(toFact: LoginFact.self, on: .shared, owner: profile) { profile, fact in profile.title = fact.username }
    let token = engine.facts(of: LoginFact.self).receive(on: MainActor.shared).subscribe { fact in
      other.title = fact.username
    }
    engine.post(LoginFact(username: "kim"))
    #expect(await eventually { profile.title == "kim" && other.title == "kim" })
    withExtendedLifetime(token) {}
  }

  @Test("an actor handles commands")
  func actorHandler() async throws {
    let engine = Engine()
    try engine.use(CachingHandler(api: Self.api))
    #expect(try await engine.execute(BookList()).value == Self.momo)
  }

  @Test("CMD-14: a callback ends the command, with a completion or with a continuation")
  func callbacks() async throws {
    for (api, isBroken) in [(Self.api, false), (Self.broken, true)] {
      let engine = Engine()
      try register(api, on: engine)
      let other = Engine()
      try other.use(CallbackHandler(api: api))
      for engine in [engine, other] {
        let outcome = await engine.execute(BookList()).wait()
        #expect(outcome.output == (isBroken ? nil : Self.momo))
        #expect((outcome.failure is NotLoggedIn) == isBroken)
      }
    }
  }

  @Test("CMD-12: a router decides at run time what is executed")
  func router() async throws {
    let engine = Engine()
    let seen = Log<String>()
    try engine.use(Login.self, synchronously: { command, _ in command.name })
    let token = engine.react(to: Login.self, consume: { seen.note($0) })
    Router().open("login", with: engine)
    Router().open("nowhere", with: engine)
    #expect(seen.entries == ["Kim"])
    withExtendedLifetime(token) {}
  }

  @Test("a middleware that waits conforms without an annotation")
  func middleware() async throws {
    for isValid in [true, false] {
      let engine = Engine()
      try engine.use(BookListHandler(api: Self.api))
      engine.add(RequireLogin(session: Session(isValid: isValid)))
      let outcome = await engine.execute(BookList()).wait()
      #expect(outcome.output == (isValid ? Self.momo : nil))
      #expect((outcome.failure is NotLoggedIn) == !isValid)
    }
  }

  @Test("a story may call its command Command")
  func story() throws {
    let engine = Engine()
    try engine.use(BookUpdateStory.Handler())
    #expect(engine.execute(BookUpdateStory.Command(book: Self.momo[0])).outcome?.output == Self.momo[0])
  }
}
