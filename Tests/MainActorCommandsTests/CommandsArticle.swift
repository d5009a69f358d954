import Aggregate
import RASPCommands
import Streams

// The blocks of the article about commands, in its order, and what they take for granted.

private nonisolated struct BookCache: Sendable {
  var books: [Book] { [] }
}

private nonisolated struct Spinner: Sendable {
  func start() {}
}

private nonisolated let cache = BookCache()
private nonisolated let api = BookAPI { [] }
private nonisolated let spinner = Spinner()
private nonisolated func show(_ books: [Book]) {}
private nonisolated func report(_ error: any Error) {}

private struct Welcome: ActionCommand {
  let name: String

  func handle(publish: Publisher<Welcome>) throws -> String { "Hello, \(name)" }
}

private struct LoginFact: Fact {
  let username: String
}

private nonisolated enum LibraryEvent: Sendable {
  case list(CommandEvent<BookList>)
}

private nonisolated struct Library: AggregateState {
  var books: [Book] = []

  mutating func apply(_ event: LibraryEvent) {
    if case .list(.data(let books)) = event { self.books = books }
  }
}

private func handler() {
  struct BookList: Command { typealias Output = [Book] }

  struct BookListHandler: CommandHandler {
    func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [Book] {
      publish(data: cache.books)  // as often as wanted
      return try await api.books()  // data when it returns, error when it throws
    }
  }
}

private func execution() async throws {
  struct BookListHandler: CommandHandler {
    func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [Book] { try await api.books() }
  }

  let engine = Engine()
  try engine.use(BookListHandler())
  let token = engine.react(to: BookList.self, wait: spinner.start, consume: show, rescue: report)

  engine.execute(BookList())  // fire and forget: reactions get the events
  let books = try await engine.value(of: BookList())  // or call it and wait for the result
  _ = (token, books)
}

private func smallWork(engine: Engine) async throws {
  let greeting = try await engine.value(of: Welcome(name: "Kim"))  // an ActionCommand handles itself
  engine.post(LoginFact(username: "kim"))  // a Fact reaches its reactions
  _ = greeting
}

private func state(engine: Engine) {
  let library = Aggregator(
    initial: Library(),
    sources: engine.events(of: BookList.self).map(LibraryEvent.list)
  )
  let token = library.select(\.books).subscribe { show($0) }
  _ = token
}

private final class Screen {
  var books: [Book] = []

  func load(engine: Engine) {
    engine.react(to: BookList.self, on: .shared, owner: self, consume: { screen, books in screen.books = books })
  }
}

private func overlap() {
  struct BookSearch: Command {
    typealias Output = [Book]
    static let overlap = OverlapPolicy.newest
    static let timeLimit: Duration? = .seconds(10)
    let words: String
  }
  struct Switch: Command {
    typealias Output = Void
    static let overlap = OverlapPolicy.newest
    var overlapKey: (any Hashable & Sendable)? { lamp }
    let lamp: String
    let isOn: Bool
  }
}

protocol Retried: Command {}

struct Retry: Middleware {
  let pauses: [Duration]
  let scheduler: any Scheduler

  func intercept(_ command: any Command, next: Next<any Command>) -> MiddlewareResult<any Command> {
    guard command is any Retried else { return next(command) }
    return .waiting {
      for pause in pauses {
        let outcome = await next(command).outcome
        guard case .failed = outcome else { return outcome }
        try await scheduler.sleep(until: scheduler.now + pause)
      }
      return await next(command).outcome
    }
  }
}

private func retries(engine: Engine) {
  engine.add(Retry(pauses: [.milliseconds(100), .seconds(1)], scheduler: .continuous))
}

private func stories() {
  enum BookListStory {
    struct Command: RASPCommands.Command { typealias Output = [Book] }
    struct Handler: CommandHandler {
      func handle(_ command: Command, publish: Publisher<Command>) async throws -> [Book] {
        try await api.books()
      }
    }
  }
}

private protocol DetailFeature {
  associatedtype Model: Sendable
}

private enum BookFeature: DetailFeature {
  typealias Model = Book
}

private func details(engine: Engine) {
  struct DetailCommand<Feature: DetailFeature>: Command {
    typealias Output = Feature.Model
    let id: Int
  }

  engine.execute(DetailCommand<BookFeature>(id: 7))
}
