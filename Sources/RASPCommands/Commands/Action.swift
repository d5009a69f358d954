/// A command that carries itself out: for work too small for a handler of its own.
///
///     struct Welcome: Action {
///       let name: String
///       func handle(publish: Publisher<Welcome>) async throws -> String { "Hello, \(name)" }
///     }
///     let greeting = try await engine.execute(Welcome(name: "Kim")).value
///
/// Nothing is registered: the very instance that is executed handles itself, every time. An engine treats an action as a
/// command whose handler is there from the start, so ``Engine/contains(_:)`` says `true` and another handler for it is
/// refused, unless it is asked to replace: that is how a test puts something else in its place.
public protocol Action: Command {
  /// The result; found out from ``handle(publish:)``.
  associatedtype Output

  /// Carries the action out: see ``CommandHandler/handle(_:publish:)``.
  func handle(publish: Publisher<Self>) async throws -> Output
}

/// An action that never waits: it runs on the thread of who executes it and is done when `execute` returns.
public protocol SynchronousAction: Action {
  /// The result; found out from ``handle(publish:)``.
  associatedtype Output

  /// Carries the action out: see ``SynchronousCommandHandler/handle(_:publish:)``.
  func handle(publish: Publisher<Self>) throws -> Output
}
