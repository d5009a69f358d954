// What the blocks of the landing page of `RASPTesting` use and do not show.

import Aggregate
import RASPCommands
import RASPServices
import RASPTesting

struct Position: AggregateState, Equatable {
  enum Event: Sendable { case heading(Double) }

  var heading: Double?

  mutating func apply(_ event: Event) {}
}

struct Tick: Sendable {
  var symbol: String
  var price: Int
}

struct Quote: AggregateState, Equatable {
  var price = 0

  mutating func apply(_ event: Tick) {}
}

struct Identity: Sendable, Equatable { var name: String? }
struct NameMissing: Error {}
enum IdentityAction: Action { case login(String) }
enum ArticlesAction: Action { case load }

struct IdentityService: Service {
  var body: some Service { Store(model: Identity.self).mutate(on: IdentityAction.self) { _, _ in } }
}

struct BookList: Command { typealias Output = [String] }
struct LibraryOpened: Fact, Equatable {}
struct Offline: Error {}
struct Library: Sendable {}

struct BookListHandler: CommandHandler {
  var api: Library

  func handle(_ command: BookList, publish: Publisher<BookList>) -> [String] { [] }
}

let api = Library()
let offline = Library()
let books: [String] = []
let cached: [String] = []
let engine = Engine()
let time = VirtualScheduler()
