import RASPCommands
import Streams

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

/// Gives a command whose store did not answer a second chance, a little later.
struct RetryUnreachable: Middleware {
  static let pause: Duration = .milliseconds(100)

  let scheduler: any Scheduler
  let onRetry: @Sendable (any Command) -> Void

  func intercept(_ command: any Command, next: Next<any Command>) -> MiddlewareResult<any Command> {
    next(command).then { [scheduler, onRetry] outcome in
      guard outcome.failure is Unreachable else { return MiddlewareResult(outcome) }
      onRetry(command)
      return .waiting {
        try await scheduler.sleep(until: scheduler.now + Self.pause)
        return await next(command).outcome
      }
    }
  }
}
