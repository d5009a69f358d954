/// How the handler of a type of command is called, which its declaration says: a handler that is written without
/// `async` is called on the thread of the sender, and any other one in a task.
///
/// Which of the two it is, the compiler knows where the type of the handler conforms: see
/// ``CommandHandler/_HandlerResult``. So a handler is never called to find out. The closures are made in inlinable code
/// that knows the type of the handler, so that calling one is not a call through a witness table.
public enum _HandlerCall<CommandType: Command>: Sendable {
  /// Calls a handler that never waits.
  public typealias Synchronous = @Sendable (CommandType, Publisher<CommandType>) throws -> CommandType.Output
  /// Calls a handler that may wait.
  public typealias Asynchronous = @Sendable (CommandType, Publisher<CommandType>) async throws -> CommandType.Output

  /// The handler never waits.
  case synchronous(Synchronous)
  /// The handler may wait.
  case asynchronous(Asynchronous)
}

/// What the synchronous `handle` of a handler returns that has only an asynchronous one. There is no value of this
/// type.
///
/// It is not `Sendable`, so that it is never taken for the output of an ``ActionCommand`` without a `handle`.
public enum _HandlerWaits {}

@available(*, unavailable)
extension _HandlerWaits: Sendable {}

/// Says that a handler can only be called in a task.
@usableFromInline
struct CalledWithoutAwait: Error, CustomStringConvertible {
  @usableFromInline
  init() {}

  @usableFromInline var description: String {
    "A handler that waits was called without 'await'. Call it with 'await', or execute the command on an engine."
  }
}

/// A handler that is registered, as an object, so that to find it counts one reference.
@usableFromInline
final class RegisteredHandler<CommandType: Command>: Sendable {
  @usableFromInline let call: _HandlerCall<CommandType>
  /// Is `true` if the handler is called on the thread of the sender.
  @usableFromInline let isSynchronous: Bool
  /// What such a handler is called by. It stands beside `call`, because to take it out of an enumeration counts another
  /// reference; nothing calls that of a handler that may wait.
  @usableFromInline let synchronous: _HandlerCall<CommandType>.Synchronous

  @usableFromInline
  init(_ call: _HandlerCall<CommandType>) {
    self.call = call
    switch call {
    case .synchronous(let handle):
      isSynchronous = true
      synchronous = handle
    case .asynchronous:
      isSynchronous = false
      synchronous = { _, _ in preconditionFailure("A handler that may wait is called on the thread of the sender.") }
    }
  }
}

/// The handler of a type of command, and the number of registrations so far, so that a registration removes its own
/// handler only.
@usableFromInline
struct HandlerSlot<CommandType: Command>: Sendable {
  @usableFromInline private(set) var handler: RegisteredHandler<CommandType>?
  private(set) var registration = 0

  init(_ call: _HandlerCall<CommandType>?) {
    handler = call.map { RegisteredHandler($0) }
  }

  /// - Returns: the handler that was there, to be released after unlocking.
  mutating func put(_ newcomer: RegisteredHandler<CommandType>?) -> RegisteredHandler<CommandType>? {
    defer {
      handler = newcomer
      registration += 1
    }
    return handler
  }
}
