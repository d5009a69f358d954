import Aggregate
import RASPCommands

/// What happens in the library: the events of its commands, and its facts.
enum LibraryEvent: Sendable {
  case list(CommandEvent<BookList>)
  case update(CommandEvent<BookUpdate>)
  case tidied(LibraryTidied)
}

/// What all the commands have led to.
struct LibraryState: AggregateState {
  private(set) var books: [Book] = []
  private(set) var isLoading = false
  private(set) var revisions: [Int: Revision] = [:]
  private(set) var corrections = 0
  private(set) var problem: String?

  mutating func apply(_ event: LibraryEvent) {
    switch event {
    case .list(.progress), .update(.progress):
      isLoading = true
    case .list(.data(let books)):
      self.books = books
      (isLoading, problem) = (false, nil)
    case .update(.data(let (book, revision))):
      books = books.map { $0.id == book.id ? book : $0 }
      revisions[book.id] = revision
      (isLoading, problem) = (false, nil)
    case .list(.error(let error)), .update(.error(let error)):
      (isLoading, problem) = (false, "\(error)")
    case .tidied(let fact):
      corrections = fact.corrections
    }
  }
}
