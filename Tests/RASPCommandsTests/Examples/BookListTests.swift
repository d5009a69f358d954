import Aggregate
import RASPCommands
import Streams
import TestSupport
import Testing

private struct Book: Sendable, Equatable {
  var id: Int
  var title: String
  var author: String
}

private struct Revision: Sendable, Equatable {
  var number: Int
}

/// A story: what belongs together is grouped, and called what it is.
private enum BookListStory {
  struct Command: RASPCommands.Command { typealias Output = [Book] }

  struct Handler: CommandHandler {
    let cache: [Book]
    let fetch: @Sendable () async throws -> [Book]

    func handle(_ command: Command, publish: Publisher<Command>) async throws -> [Book] {
      if cache.isEmpty { publish(.progress) } else { publish(data: cache) }
      return try await fetch()
    }
  }
}

private enum BookUpdateStory {
  struct Command: RASPCommands.Command {
    typealias Output = (Book, Revision)
    let book: Book
  }

  struct Handler: CommandHandler {
    func handle(_ command: Command, publish: Publisher<Command>) throws -> (Book, Revision) {
      guard !command.book.title.isEmpty else { throw Broken(reason: "no title") }
      return (command.book, Revision(number: command.book.id + 1))
    }
  }
}

@Suite("The book list")
struct BookListTests {
  private static let typo = Book(id: 1, title: "The Hobit", author: "J. R. R. Tolkien")
  private static let corrected = Book(id: 1, title: "The Hobbit", author: "J. R. R. Tolkien")

  @Test("cached data first, then what was fetched; without a cache, progress first")
  func list() async throws {
    for (cache, first) in [([], "wait"), ([Self.typo], "consume 1")] {
      let engine = Engine()
      let seen = Log<String>()
      try engine.use(BookListStory.Handler(cache: cache) { [Self.typo, Self.corrected] })
      let token = engine.react(
        to: BookListStory.Command.self,
        wait: { seen.note("wait") },
        consume: { seen.note("consume \($0.count)") },
        rescue: { _ in seen.note("rescue") }
      )
      let books = try await engine.execute(BookListStory.Command()).value
      #expect(books.count == 2)
      #expect(seen.entries == [first, "consume 2"])
      withExtendedLifetime(token) {}
    }
  }

  @Test("what the network refuses is rescued")
  func failure() async throws {
    let engine = Engine()
    let seen = Log<String>()
    try engine.use(BookListStory.Handler(cache: []) { throw Broken(reason: "offline") })
    let token = engine.react(
      to: BookListStory.Command.self,
      wait: { seen.note("wait") },
      rescue: { seen.note("rescue \($0)") }
    )
    _ = await engine.execute(BookListStory.Command()).wait()
    #expect(seen.entries == ["wait", #"rescue Broken(reason: "offline")"#])
    withExtendedLifetime(token) {}
  }

  @Test("a typo is corrected by an update, whose output is a tuple")
  func update() throws {
    let engine = Engine()
    try engine.use(BookUpdateStory.Handler())
    let seen = Log<Revision>()
    let token = engine.react(to: BookUpdateStory.Command.self, consume: { seen.note($0.1) })
    let output = engine.execute(BookUpdateStory.Command(book: Self.corrected)).outcome?.output
    #expect(output?.0 == Self.corrected)
    #expect(output?.1 == Revision(number: 2))
    #expect(seen.entries == [Revision(number: 2)])
    withExtendedLifetime(token) {}
  }

  private enum LibraryEvent: Sendable {
    case list(CommandEvent<BookListStory.Command>)
    case update(CommandEvent<BookUpdateStory.Command>)
  }

  private struct Library: AggregateState {
    var books: [Book] = []
    var isLoading = false
    var problem: String?

    mutating func apply(_ event: LibraryEvent) {
      switch event {
      case .list(.progress), .update(.progress):
        isLoading = true
      case .list(.data(let books)):
        (self.books, isLoading, problem) = (books, false, nil)
      case .update(.data((let book, _))):
        books = books.map { $0.id == book.id ? book : $0 }
      case .list(.error(let error)), .update(.error(let error)):
        (isLoading, problem) = (false, "\(error)")
      }
    }
  }

  @Test("events of commands are the sources of an aggregator, which holds the state they lead to")
  func aggregator() async throws {
    let engine = Engine()
    try engine.use(BookListStory.Handler(cache: []) { [Self.typo] })
    try engine.use(BookUpdateStory.Handler())
    let library = Aggregator(
      initial: Library(),
      sources: engine.events(of: BookListStory.Command.self).map(LibraryEvent.list),
      engine.events(of: BookUpdateStory.Command.self).map(LibraryEvent.update)
    )
    let loading = Log<Bool>()
    let token = library.select(\.isLoading).subscribe { loading.note($0) }
    _ = await engine.execute(BookListStory.Command()).wait()
    #expect(library.snapshot.books == [Self.typo])
    engine.execute(BookUpdateStory.Command(book: Self.corrected))
    #expect(library.snapshot.books == [Self.corrected])
    engine.execute(BookUpdateStory.Command(book: Book(id: 1, title: "", author: "")))
    #expect(library.snapshot.books == [Self.corrected])
    #expect(library.snapshot.problem == #"Broken(reason: "no title")"#)
    #expect(loading.entries == [false, true, false])
    withExtendedLifetime(token) {}
  }
}
