import Aggregate
import RASPCommands

/// What happens to the library: what its commands and facts have told, as values that a file can hold.
enum LibraryEvent: Codable, Sendable {
  case waiting
  case listed([Book])
  case updated(Book, Revision)
  case failed(String)
  case tidied(corrections: Int)
}

extension LibraryEvent {
  init(_ event: CommandEvent<BookList>) {
    self =
      switch event {
      case .progress: .waiting
      case .data(let books): .listed(books)
      case .error(let error): .failed("\(error)")
      }
  }

  init(_ event: CommandEvent<BookUpdate>) {
    self =
      switch event {
      case .progress: .waiting
      case .data(let (book, revision)): .updated(book, revision)
      case .error(let error): .failed("\(error)")
      }
  }

  init(_ fact: LibraryTidied) {
    self = .tidied(corrections: fact.corrections)
  }
}

/// What all the commands have led to.
struct LibraryState: AggregateState, Codable {
  private(set) var books: [Book] = []
  private(set) var isLoading = false
  private(set) var revisions: [Int: Revision] = [:]
  private(set) var corrections = 0
  private(set) var problem: String?

  mutating func apply(_ event: LibraryEvent) {
    switch event {
    case .waiting:
      isLoading = true
    case .listed(let books):
      self.books = books
      (isLoading, problem) = (false, nil)
    case .updated(let book, let revision):
      books = books.map { $0.id == book.id ? book : $0 }
      revisions[book.id] = revision
      (isLoading, problem) = (false, nil)
    case .failed(let reason):
      (isLoading, problem) = (false, reason)
    case .tidied(let corrections):
      self.corrections = corrections
    }
  }
}
