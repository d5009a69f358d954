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
/// A type of command has one handler. A small one may be a closure, see ``EngineProtocol/use(_:replacing:handler:)``.
///
/// ### Handlers that never wait
///
/// A handler that is written without `async` runs on the thread of the sender, inside `execute`, without a task. The
/// execution is over when `execute` returns:
///
///     struct AddHandler: CommandHandler {
///       func handle(_ command: Add, publish: Publisher<Add>) throws -> Int { command.left + command.right }
///     }
///     engine.execute(Add(left: 1, right: 2)).outcome   // .handled(3)
///
/// Commands that such handlers execute are nested calls, as functions are. Events and reactions are never nested, see
/// ``Engine``. An actor, and a class of a global actor, writes `handle` with `async`.
///
/// A handler that needs the engine takes ``Publisher/engine``. A handler that holds the engine in a property keeps it
/// alive, because the engine holds its handlers.
///
/// Implement one of the two requirements.
public protocol CommandHandler<CommandType>: Sendable {
  /// The type of the commands, inferred from `handle(_:publish:)`.
  associatedtype CommandType: Command

  /// The result of the `handle` that never waits, inferred from it: the output of the command, or ``_HandlerWaits``
  /// where that `handle` is not written. It tells the engine how to call the handler.
  associatedtype _HandlerResult

  /// Carries out a command. The handler may execute, publish, react and dispose.
  ///
  /// When the execution is cancelled, so is the task, and everything that the handler still publishes, returns or
  /// throws is dropped.
  ///
  /// - Ordering: the result or the error is published as the last event.
  /// - Concurrency: runs in a task that belongs to the execution, not on the actor of the sender. Any number may run at
  ///   the same time.
  /// - Errors: an error fails the execution. It is published, and goes to ``EngineProtocol/errorHandler``.
  /// - Parameters:
  ///   - command: the command.
  ///   - publish: publishes events to the reactions, until this returns.
  /// - Returns: the result.
  func handle(_ command: CommandType, publish: Publisher<CommandType>) async throws -> CommandType.Output

  /// Carries out a command without ever waiting.
  ///
  /// - Ordering: the result or the error is published as the last event.
  /// - Concurrency: runs on the thread of the sender, unless a middleware waits.
  /// - Errors: an error fails the execution. It is published, and goes to ``EngineProtocol/errorHandler``.
  /// - Parameters:
  ///   - command: the command.
  ///   - publish: publishes events to the reactions, until this returns.
  /// - Returns: the result.
  func handle(_ command: CommandType, publish: Publisher<CommandType>) throws -> _HandlerResult

  /// How the engine calls this handler. There is nothing to implement.
  var _handlerCall: _HandlerCall<CommandType> { get }
}

extension CommandHandler {
  /// Stands where a handler waits. The engine does not call it. A handler that hands its commands on to another one
  /// would, and finds by the type of the result that it cannot.
  @_disfavoredOverload
  public func handle(_ command: CommandType, publish: Publisher<CommandType>) throws -> _HandlerWaits {
    throw CalledWithoutAwait()
  }

  /// Stands where a handler is missing, so that the compiler says how one is written.
  @available(
    *,
    unavailable,
    message:
      "write 'func handle(_ command: C, publish: Publisher<C>) async throws -> C.Output', with or without 'async'"
  )
  public func handle(_ command: CommandType, publish: Publisher<CommandType>) async throws -> CommandType.Output {
    throw CalledWithoutAwait()
  }

  /// In a task.
  @inlinable public var _handlerCall: _HandlerCall<CommandType> {
    .asynchronous { try await handle($0, publish: $1) }
  }
}

extension CommandHandler where _HandlerResult == CommandType.Output {
  /// On the thread of the sender.
  @inlinable public var _handlerCall: _HandlerCall<CommandType> {
    .synchronous { try handle($0, publish: $1) }
  }
}
