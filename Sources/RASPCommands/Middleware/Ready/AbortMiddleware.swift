/// Stops commands that a closure selects. Neither a handler runs nor an event is published.
///
///     engine.pipeCommands(through: [AbortCommandMiddleware { $0 is Purchase && store.isClosed }])
public struct AbortCommandMiddleware: SynchronousCommandMiddleware {
  private let isUnwanted: @Sendable (any Command) -> Bool

  /// Makes a middleware that stops commands.
  ///
  /// - Parameter isUnwanted: returns `true` to stop a command. By default every command is stopped.
  public init(where isUnwanted: @escaping @Sendable (any Command) -> Bool = { _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops the command or passes it on.
  public func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)? {
    isUnwanted(command) ? nil : command
  }
}

/// Stops events that a closure selects. No reaction gets them.
///
///     engine.pipeEvents(through: [AbortEventMiddleware { $0.kind == .progress }])
public struct AbortEventMiddleware: EventMiddleware {
  private let isUnwanted: @Sendable (any AnyCommandEvent) -> Bool

  /// Makes a middleware that stops events.
  ///
  /// - Parameter isUnwanted: returns `true` to stop an event. By default every event is stopped.
  public init(where isUnwanted: @escaping @Sendable (any AnyCommandEvent) -> Bool = { _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops the event or passes it on.
  public func intercept(
    _ event: any AnyCommandEvent,
    in engine: Engine,
    next: (any AnyCommandEvent) throws -> Interception
  ) throws -> Interception {
    isUnwanted(event) ? .stopped : try next(event)
  }
}
