import Streams

/// The store is far away, and did not answer.
struct Unreachable: Error, CustomStringConvertible {
  let description = "the store did not answer"
}

/// A store that takes its time, and fails the first time it is asked.
actor BookStore {
  static let delay: Duration = .milliseconds(150)

  private let scheduler: any Scheduler
  private var books = [
    Book(id: 1, title: "The Hobit", author: "J. R. R. Tolkien"),
    Book(id: 2, title: "Momo", author: "Michael Ende"),
    Book(id: 3, title: "Emil and the Detectives", author: "Erich Kästner"),
  ]
  private var revisions: [Int: Int] = [:]
  private var failures = 1

  init(scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  func allBooks() async throws -> [Book] {
    try await scheduler.sleep(until: scheduler.now + Self.delay)
    if failures > 0 {
      failures -= 1
      throw Unreachable()
    }
    return books
  }

  func update(_ book: Book) async throws -> Revision {
    try await scheduler.sleep(until: scheduler.now + Self.delay)
    books = books.map { $0.id == book.id ? book : $0 }
    revisions[book.id, default: 0] += 1
    return Revision(number: revisions[book.id] ?? 0)
  }
}
