/// Silences failures of commands: a command that fails behind it counts as stopped, with no error event and no report.
///
///     engine.pipeCommands(through: [SilenceCommandMiddleware { error, _ in error is Outdated }])
public struct SilenceCommandMiddleware: SynchronousCommandMiddleware {
  private let isUnwanted: @Sendable (any Error, any Command) -> Bool

  /// - Parameter isUnwanted: whether to silence a failure; all of them unless you say otherwise.
  public init(where isUnwanted: @escaping @Sendable (any Error, any Command) -> Bool = { _, _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops what has failed.
  public func didExecute(
    _ command: any Command,
    _ result: Result<Interception, any Error>,
    attempt: Int,
    in engine: Engine
  ) throws -> CommandReview {
    if case .failure(let error) = result, isUnwanted(error, command) { .stop } else { .accept }
  }
}

/// Silences error events, and errors of middleware behind it: the reactions do not hear of them.
///
///     engine.pipeEvents(through: [SilenceEventMiddleware { error, _ in error is Outdated }])
public struct SilenceEventMiddleware: EventMiddleware {
  private let isUnwanted: @Sendable (any Error, any AnyCommandEvent) -> Bool

  /// - Parameter isUnwanted: whether to silence an error; all of them unless you say otherwise.
  public init(where isUnwanted: @escaping @Sendable (any Error, any AnyCommandEvent) -> Bool = { _, _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops what tells of an unwanted error.
  public func intercept(
    _ event: any AnyCommandEvent,
    in engine: Engine,
    next: (any AnyCommandEvent) throws -> Interception
  ) throws -> Interception {
    if let error = event.error, isUnwanted(error, event) { return .stopped }
    do {
      return try next(event)
    } catch  where isUnwanted(error, event) {
      return .stopped
    }
  }
}
