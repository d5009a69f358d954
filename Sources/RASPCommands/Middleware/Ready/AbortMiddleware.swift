/// Stops the commands it is told to: no handler, no event.
///
///     engine.pipeCommands(through: [AbortCommandMiddleware { $0 is Purchase && store.isClosed }])
public struct AbortCommandMiddleware: SynchronousCommandMiddleware {
  private let isUnwanted: @Sendable (any Command) -> Bool

  /// - Parameter isUnwanted: whether to stop a command; all of them unless you say otherwise.
  public init(where isUnwanted: @escaping @Sendable (any Command) -> Bool = { _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops the command or passes it on.
  public func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)? {
    isUnwanted(command) ? nil : command
  }
}

/// Stops the events it is told to: no reaction hears of them.
///
///     engine.pipeEvents(through: [AbortEventMiddleware { $0.kind == .progress }])
public struct AbortEventMiddleware: EventMiddleware {
  private let isUnwanted: @Sendable (any AnyCommandEvent) -> Bool

  /// - Parameter isUnwanted: whether to stop an event; all of them unless you say otherwise.
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
