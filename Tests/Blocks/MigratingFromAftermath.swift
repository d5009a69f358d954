// What the blocks of the article about Aftermath use and do not show.

import RASPCommands

struct Book: Sendable {}

struct Login: Command {
  typealias Output = String
  let name: String
}

struct NotLoggedIn: Error {}

struct Session: Sendable {
  var isValid: Bool { get async { true } }
}

struct BookAPI: Sendable {
  func books() async throws -> [Book] { [] }
  func loadBooks(_ completion: @escaping @Sendable (Result<[Book], any Error>) -> Void) {}
}
