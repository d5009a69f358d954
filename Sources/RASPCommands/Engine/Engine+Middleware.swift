public import Streams

extension Engine {
  /// Adds command middleware. It stands between the middleware that is there already and the handlers.
  ///
  ///     engine.pipeCommands(through: [LogCommandMiddleware { print($0) }, RequireLogin()])
  ///
  /// - Ordering: the first in the list is the outermost. A command that is already running, and the events that it
  ///   publishes, keep the middleware with which the command began.
  /// - Complexity: O(middleware).
  /// - Parameter middleware: the middleware to add.
  /// - Returns: a token. Cancelling it removes the middleware; releasing it does nothing.
  @discardableResult
  public func pipeCommands(through middleware: [any CommandMiddleware]) -> Subscription {
    core.pipe(commands: middleware)
  }

  /// Adds event middleware. It stands between the middleware that is there already and the reactions.
  ///
  ///     engine.pipeEvents(through: [LogEventMiddleware { print($0) }])
  ///
  /// - Ordering: the first in the list is the outermost. A command that is already running keeps the middleware with
  ///   which it began. The next command, fact, and event without a command have the new one.
  /// - Complexity: O(middleware).
  /// - Parameter middleware: the middleware to add.
  /// - Returns: a token. Cancelling it removes the middleware; releasing it does nothing.
  @discardableResult
  public func pipeEvents(through middleware: [any EventMiddleware]) -> Subscription {
    core.pipe(events: middleware)
  }
}
