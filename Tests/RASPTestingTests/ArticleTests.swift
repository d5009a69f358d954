import Aggregate
import RASPCommands
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

/// The code of the landing page, run.
@Suite("The article of the test kit", .endsInTime)
struct ArticleTests {
  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let document = "Sources/RASPTesting/RASPTesting.docc/RASPTesting.md"
    #expect(try ArticleBlocks.count(in: document) == 8)
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/RASPTestingTests") == [])
  }

  @Test("virtual time, marbles, states and rows")
  func states() {
    let time = VirtualScheduler()
    let recorder = Recorder(Observable.interval(.seconds(1), on: time).prefix(2), on: time)

    time.run()

    #expect(recorder.values == [0, 1])
    #expect(recorder.records.map(\.instant) == [.seconds(1), .seconds(2), .seconds(2)])
    #expect(time.pending == [])  // nothing was left behind

    marbles()

    given(Position()).when(.heading(90), .heading(91)).then { $0.heading = 91 }

    given(rows: ["ACME": Quote()], by: \Tick.symbol, initial: { _ in Quote() })
      .when(Tick(symbol: "ACME", price: 1), Tick(symbol: "ACME", price: 2))
      .then { $0["ACME"]?.price = 2 }
  }

  private func marbles() {
    let marbles = Marbles()
    let source = marbles.stream("ab----c-|")
    marbles.expect(source.debounce(for: .seconds(2), on: marbles.time), "---b----[c|]")
  }

  @Test("services")
  func services() async throws {
    await given(model: Identity()) { IdentityService() }
      .when(IdentityAction.login("Kim"), IdentityAction.login(""))
      .then(sent: [ArticlesAction.load], threw: [NameMissing()]) { $0.name = "Kim" }

    let recorder = ActionRecorder()
    try await withCluster {
      IdentityService().with(model: Identity()).environment(\.send, recorder.send)
    } perform: { cluster in
      try await cluster.send(action: IdentityAction.login("Kim"))
    }
    recorder.expect(ArticlesAction.load)
  }

  @Test("commands")
  func commands() async throws {
    let (cached, books) = (["Momo"], ["Momo", "Emma"])
    let (api, offline) = (Library(cached: cached, books: books), Library(cached: cached, books: nil))
    await given(BookListHandler(api: api)).when(BookList()).then(books, after: .progress, .data(cached))
    await given(BookListHandler(api: offline)).when(BookList()).failed(with: Offline(), after: .progress)

    let (engine, time) = (Engine(), VirtualScheduler())
    engine.add(TryingAgain())
    let token = engine.react(to: BookList.self, consume: { _ in engine.post(LibraryOpened()) })

    let slow = ScriptedHandler(BookList.self, on: time, .failing(Offline()), .answering(books).after(.seconds(2)))
    try engine.use(slow)
    await given(engine)
      .when(BookList()) { _ in
        await slow.waitUntilAsked(2)  // the middleware has tried again
        time.advance(by: .seconds(2))
      }
      .then(books)
      .posted(LibraryOpened())
    withExtendedLifetime(token) {}
  }
}

private struct Position: AggregateState, Equatable {
  enum Event: Sendable { case heading(Double) }

  var heading: Double?

  mutating func apply(_ event: Event) {
    switch event {
    case .heading(let heading): self.heading = heading
    }
  }
}

private struct Tick: Sendable {
  var symbol: String
  var price: Int
}

private struct Quote: AggregateState, Equatable {
  var price = 0

  mutating func apply(_ event: Tick) { price = event.price }
}

private enum IdentityAction: Action { case login(String) }
private enum ArticlesAction: Action { case load }
private struct NameMissing: Error {}
private struct Identity: Sendable, Equatable { var name: String? }

private struct IdentityService: Service {
  var body: some Service {
    Store(model: Identity.self)
      .mutate(on: IdentityAction.self) { identity, action, send in
        guard case .login(let name) = action, !name.isEmpty else { throw NameMissing() }
        identity.name = name
        try await send(ArticlesAction.load)
      }
  }
}

/// Tries a command that has failed once more.
private struct TryingAgain: Middleware {
  func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
    next(command).then { outcome in outcome.failure == nil ? MiddlewareResult(outcome) : next(command) }
  }
}

private struct BookList: Command { typealias Output = [String] }
private struct LibraryOpened: Fact, Equatable {}
private struct Offline: Error {}

private struct Library: Sendable {
  var cached: [String]
  /// Nothing, if it cannot be reached.
  var books: [String]?
}

private struct BookListHandler: CommandHandler {
  var api: Library

  func handle(_ command: BookList, publish: Publisher<BookList>) throws -> [String] {
    publish(.progress)
    guard let books = api.books else { throw Offline() }
    publish(data: api.cached)
    return books
  }
}
