import RASPCommands

/// Shows what was there last time at once, and then what the store has.
struct BookListHandler: CommandHandler {
  let store: BookStore
  let cache: [Book]

  func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [Book] {
    publish(.progress)
    publish(data: cache)
    return try await store.allBooks()
  }
}

/// Hands a better book to the store.
struct BookUpdateHandler: CommandHandler {
  let store: BookStore

  func handle(_ command: BookUpdate, publish: Publisher<BookUpdate>) async throws -> BookUpdate.Output {
    publish(.progress)
    return (command.book, try await store.update(command.book))
  }
}
