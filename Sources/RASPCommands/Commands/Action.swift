/// A command that carries itself out, for work that is too small for a handler of its own.
///
///     struct Welcome: Action {
///       let name: String
///       func handle(publish: Publisher<Welcome>) async throws -> String { "Hello, \(name)" }
///     }
///     let greeting = try await engine.execute(Welcome(name: "Kim")).value
///
/// An action needs no registration: the instance that is executed handles itself. An engine treats an action as a
/// command whose handler is there from the start. So ``Engine/contains(_:)`` returns `true`, and another handler for it
/// is refused unless it replaces the first one, which is how a test puts another handler in its place.
public protocol Action: Command {
  /// The type of the result, inferred from ``handle(publish:)``.
  associatedtype Output

  /// Carries the action out: see ``CommandHandler/handle(_:publish:)``.
  ///
  /// - Concurrency: runs in a task that belongs to the execution.
  /// - Errors: an error fails the execution.
  func handle(publish: Publisher<Self>) async throws -> Output
}

/// An action that never waits. It runs on the thread that executes it and is done when `execute` returns.
public protocol SynchronousAction: Action {
  /// The type of the result, inferred from ``handle(publish:)``.
  associatedtype Output

  /// Carries the action out: see ``SynchronousCommandHandler/handle(_:publish:)``.
  ///
  /// - Concurrency: runs on the thread that executes the action.
  /// - Errors: an error fails the execution.
  func handle(publish: Publisher<Self>) throws -> Output
}
