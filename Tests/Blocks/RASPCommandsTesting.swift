// What the blocks of the landing page of `RASPCommandsTesting` use and do not show.

import RASPCommands
import RASPTesting

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
