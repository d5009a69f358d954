/// A handler, as closures: made in inlinable code where the type of the handler is known, so that calling it is not a call
/// through a witness table.
@usableFromInline
enum Handling<Handled: Command>: Sendable {
  case synchronous(@Sendable (Handled, Publisher<Handled>) throws -> Handled.Output)
  case asynchronous(@Sendable (Handled, Publisher<Handled>) async throws -> Handled.Output)

  /// What an action brings along; `nil` for other commands. Found out once for each type of command.
  static func builtIn() -> Handling? {
    switch Handled.self {
    case let type as any SynchronousAction.Type: synchronousAction(type) as? Handling
    case let type as any Action.Type: asynchronousAction(type) as? Handling
    default: nil
    }
  }

  /// The type is erased because it is not known, to the compiler, to be `Handled`.
  private static func synchronousAction<A: SynchronousAction>(_: A.Type) -> any Sendable {
    Handling<A>.synchronous { action, publisher in try action.handle(publish: publisher) }
  }

  private static func asynchronousAction<A: Action>(_: A.Type) -> any Sendable {
    Handling<A>.asynchronous { action, publisher in try await action.handle(publish: publisher) }
  }
}
