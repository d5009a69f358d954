import RASPCommands

struct Book: Equatable, Sendable, CustomStringConvertible {
  let id: Int
  var title: String
  var author: String

  var description: String { "“\(title)” by \(author)" }
}

/// How often a book was changed.
struct Revision: Equatable, Sendable, CustomStringConvertible {
  let number: Int

  var description: String { "revision \(number)" }
}

/// All books there are.
struct BookList: Command {
  typealias Output = [Book]
}

/// A book with better data.
struct BookUpdate: Command {
  typealias Output = (book: Book, revision: Revision)
  let book: Book
}

/// The library has been put in order.
struct LibraryTidied: Fact {
  let corrections: Int
}
