import RASPCommands
import Streams

struct Book: Sendable, Equatable {
  var title: String
}

struct Login: Command {
  typealias Output = String
  let name: String
}

struct NotLoggedIn: Error {}

actor Session {
  var isValid: Bool

  init(isValid: Bool) {
    self.isValid = isValid
  }
}

/// A service of the time before `async`, and one of today.
nonisolated struct BookAPI: Sendable {
  let answer: @Sendable () throws -> [Book]

  func books() async throws -> [Book] { try answer() }

  func loadBooks(_ completion: @escaping @Sendable (Result<[Book], any Error>) -> Void) {
    completion(Result(catching: answer))
  }
}

struct BookList: Command {
  typealias Output = [Book]
}

struct BookListHandler: CommandHandler {
  let api: BookAPI

  func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [Book] {
    publish(.progress)
    return try await api.books()
  }
}

actor CachingHandler: CommandHandler {
  private var cache: [Book] = []
  let api: BookAPI

  init(api: BookAPI) {
    self.api = api
  }

  func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [Book] {
    if cache.isEmpty { cache = try await api.books() }
    return cache
  }
}

func register(_ api: BookAPI, on engine: Engine) throws {
  try engine.use(
    BookList.self,
    completing: { _, publish, done in
      publish(.progress)
      api.loadBooks { result in done(result) }
    }
  )
}

struct CallbackHandler: CommandHandler {
  let api: BookAPI

  func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [Book] {
    try await withCheckedThrowingContinuation { continuation in
      api.loadBooks { result in continuation.resume(with: result) }
    }
  }
}

@MainActor
final class BookListScreen {
  private(set) var books: [Book] = []
  private(set) var isLoading = false
  private(set) var problem: String?

  func load(with engine: Engine) {
    engine.react(
      to: BookList.self,
      on: .shared,
      owner: self,
      wait: { screen in screen.isLoading = true },
      consume: { screen, books in screen.books = books },
      rescue: { screen, error in screen.problem = "\(error)" }
    )
    engine.execute(BookList())
  }

  func close(_ engine: Engine) {
    engine.disposeAll(for: self)
  }
}

struct Router {
  func command(for path: String) -> (any Command)? {
    switch path {
    case "books": BookList()
    case "login": Login(name: "Kim")
    default: nil
    }
  }

  func open(_ path: String, with engine: Engine) {
    if let command = command(for: path) { engine.execute(command) }
  }
}

struct RequireLogin: Middleware {
  let session: Session

  func intercept(_ command: any Command, next: Next<any Command>) throws -> MiddlewareResult<any Command> {
    guard command is BookList else { return next(command) }
    return .waiting {
      guard await session.isValid else { throw NotLoggedIn() }
      return await next(command).outcome
    }
  }
}

enum BookUpdateStory {
  struct Command: RASPCommands.Command {
    typealias Output = Book
    static let overlap = OverlapPolicy.serial
    let book: Book
  }

  struct Handler: CommandHandler {
    func handle(_ command: Command, publish: Publisher<Command>) throws -> Book { command.book }
  }
}
