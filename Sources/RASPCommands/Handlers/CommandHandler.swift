/// Carries out the commands of one type.
///
///     struct BookListHandler: CommandHandler {
///       func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [Book] {
///         publish(data: cache.books)       // as often as wanted, from any thread
///         return try await api.books()     // published as data when it returns, as an error when it throws
///       }
///     }
///     try engine.use(BookListHandler())
///
/// There is one handler for a type of command. A handler that never waits is better off as a
/// ``SynchronousCommandHandler``; a small one may be a closure, see ``Engine/use(_:replacing:handler:)``.
///
/// A handler that needs the engine takes ``Publisher/engine``. One that holds the engine in a property would keep it
/// alive, because the engine holds its handlers.
public protocol CommandHandler<HandledCommand>: Sendable {
  /// What is handled; found out from ``handle(_:publish:)``.
  associatedtype HandledCommand: Command

  /// Carries out a command.
  ///
  /// Runs in a task that belongs to the execution, not on the actor of the sender; any number may run at once. When the
  /// execution is cancelled, so is the task, and whatever it still publishes, returns or throws is dropped.
  ///
  /// From in here one may execute, publish, react and dispose.
  ///
  /// - Parameters:
  ///   - command: what to do.
  ///   - publish: tells the reactions how it goes, until this returns.
  /// - Returns: the result. It is published as the last event.
  /// - Throws: to fail. The error is published as the last event, and goes to ``Engine/errorHandler``; the engine goes on.
  func handle(_ command: HandledCommand, publish: Publisher<HandledCommand>) async throws -> HandledCommand.Output
}
