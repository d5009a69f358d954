/// Fails commands that a closure selects. Their handlers do not run. For a door that is closed, or for a test of a
/// failure.
///
///     engine.pipeCommands(through: [FailCommandMiddleware { $0 is Upload && isOffline ? Offline() : nil }])
public struct FailCommandMiddleware: SynchronousCommandMiddleware {
  private let failure: @Sendable (any Command) -> (any Error)?

  /// Makes a middleware that fails commands.
  ///
  /// - Parameter failure: returns the error with which a command fails; `nil` passes the command on.
  public init(_ failure: @escaping @Sendable (any Command) -> (any Error)?) {
    self.failure = failure
  }

  /// Fails the command or passes it on.
  public func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)? {
    if let failure = failure(command) { throw failure }
    return command
  }
}

/// Fails events that a closure selects: an error is published in their place.
///
///     engine.pipeEvents(through: [FailEventMiddleware { validate($0) }])
public struct FailEventMiddleware: EventMiddleware {
  private let failure: @Sendable (any AnyCommandEvent) -> (any Error)?

  /// Makes a middleware that fails events.
  ///
  /// - Parameter failure: returns the error to publish in place of an event; `nil` passes the event on.
  public init(_ failure: @escaping @Sendable (any AnyCommandEvent) -> (any Error)?) {
    self.failure = failure
  }

  /// Fails the event or passes it on.
  public func intercept(
    _ event: any AnyCommandEvent,
    in engine: Engine,
    next: (any AnyCommandEvent) throws -> Interception
  ) throws -> Interception {
    if let failure = failure(event) { throw failure }
    return try next(event)
  }
}
