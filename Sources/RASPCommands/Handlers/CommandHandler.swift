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
/// A type of command has one handler. A handler that never waits should be a ``SynchronousCommandHandler``. A small one
/// may be a closure, see ``Engine/use(_:replacing:handler:)``.
///
/// A handler that needs the engine takes ``Publisher/engine``. A handler that holds the engine in a property keeps it
/// alive, because the engine holds its handlers.
public protocol CommandHandler<CommandType>: Sendable {
  /// The type of the commands, inferred from ``handle(_:publish:)``.
  associatedtype CommandType: Command

  /// Carries out a command. The handler may execute, publish, react and dispose.
  ///
  /// When the execution is cancelled, so is the task, and everything that the handler still publishes, returns or
  /// throws is dropped.
  ///
  /// - Ordering: the result or the error is published as the last event.
  /// - Concurrency: runs in a task that belongs to the execution, not on the actor of the sender. Any number may run at
  ///   the same time.
  /// - Errors: an error fails the execution. It is published, and goes to ``Engine/errorHandler``.
  /// - Parameters:
  ///   - command: the command.
  ///   - publish: publishes events to the reactions, until this returns.
  /// - Returns: the result.
  func handle(_ command: CommandType, publish: Publisher<CommandType>) async throws -> CommandType.Output
}
