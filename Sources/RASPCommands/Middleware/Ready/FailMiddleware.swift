/// Fails the commands it is told to, without a handler: to close a door, or to see in a test what a failure does.
///
///     engine.pipeCommands(through: [FailCommandMiddleware { $0 is Upload && isOffline ? Offline() : nil }])
public struct FailCommandMiddleware: SynchronousCommandMiddleware {
  private let failure: @Sendable (any Command) -> (any Error)?

  /// - Parameter failure: with what to fail a command; `nil` lets it pass.
  public init(_ failure: @escaping @Sendable (any Command) -> (any Error)?) {
    self.failure = failure
  }

  /// Fails the command or passes it on.
  public func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)? {
    if let failure = failure(command) { throw failure }
    return command
  }
}

/// Fails the events it is told to: an error is published in their place.
///
///     engine.pipeEvents(through: [FailEventMiddleware { validate($0) }])
public struct FailEventMiddleware: EventMiddleware {
  private let failure: @Sendable (any AnyCommandEvent) -> (any Error)?

  /// - Parameter failure: what to publish in place of an event; `nil` lets it pass.
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
