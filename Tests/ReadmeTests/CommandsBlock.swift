import RASPCommands

struct BookList: Command {
  typealias Output = [String]
}

struct BookListHandler: CommandHandler {
  func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [String] {
    ["Momo"]
  }
}

func commands() async throws {
  let engine = Engine()
  try engine.use(BookListHandler())
  let token = engine.react(to: BookList.self, consume: { print($0) })
  let books = try await engine.value(of: BookList())  // without it the reactions still get the books
  _ = (token, books)
}
