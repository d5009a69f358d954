// What the blocks of the landing page of `RASPCommands` use and do not show.

import Aggregate
import RASPCommands
import RASPServices

struct Book: Sendable {}

struct BookCache: Sendable {
  var books: [Book] { [] }
}

struct BookAPI: Sendable {
  func books() async throws -> [Book] { [] }
}

struct Spinner: Sendable {
  func start() {}
}

struct Welcome: ActionCommand {
  let name: String

  func handle(publish: Publisher<Welcome>) -> String { name }
}

struct SearchAction: Action {
  let words: String
}

enum ShelfAction: Action {
  case fill([Book])
}

enum IdentityAction: Action {
  case logout
}

struct Logout: Command {
  typealias Output = Void
}

struct PurchaseFact: Fact, Action {}

struct Shelf: Sendable {
  var books: [Book] = []
}

struct ShelfService: Service {
  var body: some Service {
    Store(model: Shelf.self).mutate(on: ShelfAction.self) { _, _ in }
  }
}

struct LoginFact: Fact {
  let username: String
}

enum LibraryEvent: Sendable {
  case list(CommandEvent<BookList>)
}

struct Library: AggregateState {
  var books: [Book] = []

  mutating func apply(_ event: LibraryEvent) {}
}

@MainActor
final class Screen {
  var books: [Book] = []
}

protocol DetailFeature {
  associatedtype Model: Sendable
}

enum BookFeature: DetailFeature {
  typealias Model = Book
}

let cache = BookCache()
let api = BookAPI()
let spinner = Spinner()
@MainActor let `self` = Screen()
@Sendable func show(_ books: [Book]) {}
@Sendable func report(_ error: any Error) {}
