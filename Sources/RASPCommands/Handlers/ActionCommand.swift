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

  /// The result of the `handle` that never waits, inferred from it: see ``CommandHandler/_HandlerResult``.
  associatedtype _HandlerResult

  /// Carries the command out: see ``CommandHandler``.
  ///
  /// - Concurrency: runs in a task that belongs to the execution.
  /// - Errors: an error fails the execution.
  func handle(publish: Publisher<Self>) async throws -> Output

  /// Carries the command out without ever waiting.
  ///
  /// - Concurrency: runs on the thread that executes the command, unless a middleware waits.
  /// - Errors: an error fails the execution.
  func handle(publish: Publisher<Self>) throws -> _HandlerResult

  /// How the engine calls an action. There is nothing to implement.
  static var _handlerCall: _HandlerCall<Self> { get }
}

extension ActionCommand {
  /// Stands where a command waits. The engine does not call it.
  @_disfavoredOverload
  public func handle(publish: Publisher<Self>) throws -> _HandlerWaits { throw CalledWithoutAwait() }

  /// Stands where the method is missing, so that the compiler says how one is written.
  @available(
    *,
    unavailable,
    message: "write 'func handle(publish: Publisher<Self>) async throws -> Output', with or without 'async'"
  )
  public func handle(publish: Publisher<Self>) async throws -> Output { throw CalledWithoutAwait() }

  /// In a task.
  @inlinable public static var _handlerCall: _HandlerCall<Self> {
    .asynchronous { try await $0.handle(publish: $1) }
  }
}

extension ActionCommand where _HandlerResult == Output {
  /// On the thread of the sender.
  @inlinable public static var _handlerCall: _HandlerCall<Self> {
    .synchronous { try $0.handle(publish: $1) }
  }
}

extension _HandlerCall {
  /// The handler of an ``ActionCommand``, which is the command itself; `nil` for other commands. This is looked up once
  /// for each type of command.
  static func builtIn() -> Self? {
    // The type is erased because the compiler does not know that the action is `CommandType`.
    func call<A: ActionCommand>(_: A.Type) -> any Sendable { A._handlerCall }
    guard let type = CommandType.self as? any ActionCommand.Type else { return nil }
    return call(type) as? Self
  }
}
