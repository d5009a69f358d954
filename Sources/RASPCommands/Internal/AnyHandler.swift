/// A handler of any type, as closures. They are made in inlinable code that knows the type of the handler, so that
/// calling one is not a call through a witness table.
@usableFromInline
enum AnyHandler<CommandType: Command>: Sendable {
  case synchronous(@Sendable (CommandType, Publisher<CommandType>) throws -> CommandType.Output)
  case asynchronous(@Sendable (CommandType, Publisher<CommandType>) async throws -> CommandType.Output)

  /// The handler of an action, which is the action itself; `nil` for other commands. This is looked up once for each
  /// type of command.
  static func builtIn() -> AnyHandler? {
    switch CommandType.self {
    case let type as any SynchronousAction.Type: synchronousAction(type) as? AnyHandler
    case let type as any Action.Type: asynchronousAction(type) as? AnyHandler
    default: nil
    }
  }

  /// The type is erased because the compiler does not know that it is `CommandType`.
  private static func synchronousAction<A: SynchronousAction>(_: A.Type) -> any Sendable {
    AnyHandler<A>.synchronous { action, publisher in try action.handle(publish: publisher) }
  }

  private static func asynchronousAction<A: Action>(_: A.Type) -> any Sendable {
    AnyHandler<A>.asynchronous { action, publisher in try await action.handle(publish: publisher) }
  }
}
