public import Streams

extension Engine {
  /// Puts middleware behind what stands between the senders of commands and their handlers already.
  ///
  ///     engine.pipeCommands(through: [LogCommandMiddleware { print($0) }, RequireLogin()])
  ///
  /// It counts from the next command: one that is under way, and what it publishes, keep the middleware they began with.
  ///
  /// - Parameter middleware: the first is the outermost.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the middleware out again.
  @discardableResult
  public func pipeCommands(through middleware: [any CommandMiddleware]) -> Subscription {
    core.pipe(commands: middleware)
  }

  /// Puts middleware behind what stands between those who publish events and the reactions already.
  ///
  ///     engine.pipeEvents(through: [LogEventMiddleware { print($0) }])
  ///
  /// It counts from the next command, fact, or event published without a command: a command that is under way keeps the
  /// middleware it began with.
  ///
  /// - Parameter middleware: the first is the outermost.
  /// - Returns: a token, which may be ignored: releasing it does nothing, cancelling it takes the middleware out again.
  @discardableResult
  public func pipeEvents(through middleware: [any EventMiddleware]) -> Subscription {
    core.pipe(events: middleware)
  }
}
