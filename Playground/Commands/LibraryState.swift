import Aggregate
import RASPCommands
import RASPInsight

/// What happens to the library: what its commands and facts have told.
enum LibraryEvent: Sendable {
  case waiting
  case listed([Book])
  case updated(Book, Revision)
  case failed(String)
  case tidied(corrections: Int)

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
}

/// What all the commands have led to.
struct LibraryState: AggregateState {
  private(set) var books: [Book] = []
  private(set) var isLoading = false
  private(set) var revisions: [Int: Revision] = [:]
  private(set) var corrections = 0
  private(set) var problem: String?

  mutating func apply(_ event: LibraryEvent) {
    if case .waiting = event { return isLoading = true }
    isLoading = false
    switch event {
    case .waiting: break
    case .listed(let books):
      (self.books, problem) = (books, nil)
    case .updated(let book, let revision):
      books = books.map { $0.id == book.id ? book : $0 }
      revisions[book.id] = revision
      problem = nil
    case .failed(let reason): problem = reason
    case .tidied(let corrections): self.corrections = corrections
    }
  }
}

/// The summary at the end of a run.
extension LibraryState {
  var lines: [String] {
    books.map { "book         \($0)" + (revisions[$0.id].map { ", \($0)" } ?? "") }
      + ["corrections  \(corrections)", "problem      \(problem ?? "none")"]
  }

  var json: JSON {
    .object([
      "books": .integer(Int64(books.count)),
      "titles": .string(books.map(\.title).joined(separator: ", ")),
      "corrections": .integer(Int64(corrections)),
      "problem": .string(problem),
    ])
  }

  /// What `--why` explains, by the names of the fields.
  static let explainedFields: [ExplainedField<LibraryState>] = [
    ExplainedField("books", \.books),
    ExplainedField("corrections", \.corrections),
    ExplainedField("problem", \.problem),
  ]
}
