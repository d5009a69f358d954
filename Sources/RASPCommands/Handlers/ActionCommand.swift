/// A command that carries itself out, for work that is too small for a handler of its own.
///
///     struct Welcome: ActionCommand {
///       let name: String
///       func handle(publish: Publisher<Welcome>) async throws -> String { "Hello, \(name)" }
///     }
///     let greeting = try await engine.value(of: Welcome(name: "Kim"))
///
/// It needs no registration: the instance that is executed handles itself. An engine treats it as a command whose
/// handler is there from the start. So another handler for it is refused unless it replaces the first one, which is how
/// a test puts another handler in its place.
///
/// As with a ``CommandHandler``, one that is written without `async` is done when `execute` returns. Implement one of
/// the two requirements.
public protocol ActionCommand: Command {
  /// The type of the result, inferred from `handle(publish:)`.
  associatedtype Output

  /// Carries the command out: see ``CommandHandler``.
  ///
  /// - Concurrency: runs in a task that belongs to the execution.
  /// - Errors: an error fails the execution.
  func handle(publish: Publisher<Self>) async throws -> Output

  /// Carries the command out without ever waiting.
  ///
  /// - Concurrency: runs on the thread that executes the command, unless a middleware waits.
  /// - Errors: an error fails the execution.
  func handle(publish: Publisher<Self>) throws -> Output
}

extension ActionCommand {
  /// Stands where a command waits. The engine calls it once, and the asynchronous one from then on.
  @_disfavoredOverload
  public func handle(publish: Publisher<Self>) throws -> Output { throw HandlerWaits() }

  /// Stands where the method is missing, so that the compiler says how one is written.
  @available(
    *,
    unavailable,
    message: "write 'func handle(publish: Publisher<Self>) async throws -> Output', with or without 'async'"
  )
  public func handle(publish: Publisher<Self>) async throws -> Output { throw HandlerWaits() }
}
