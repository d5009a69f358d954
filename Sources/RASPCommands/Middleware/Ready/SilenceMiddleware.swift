/// Silences failures of commands that a closure selects. Such a command counts as stopped, without an error event and
/// without a report.
///
///     engine.pipeCommands(through: [SilenceCommandMiddleware { error, _ in error is Outdated }])
public struct SilenceCommandMiddleware: SynchronousCommandMiddleware {
  private let isUnwanted: @Sendable (any Error, any Command) -> Bool

  /// Makes a middleware that silences failures.
  ///
  /// - Parameter isUnwanted: returns `true` to silence a failure. By default every failure is silenced.
  public init(where isUnwanted: @escaping @Sendable (any Error, any Command) -> Bool = { _, _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops a command that failed with an unwanted error.
  public func didExecute(
    _ command: any Command,
    _ result: Result<Interception, any Error>,
    attempt: Int,
    in engine: Engine
  ) throws -> CommandReview {
    if case .failure(let error) = result, isUnwanted(error, command) { .stop } else { .accept }
  }
}

/// Silences error events, and errors of inner middleware, that a closure selects. No reaction gets them.
///
///     engine.pipeEvents(through: [SilenceEventMiddleware { error, _ in error is Outdated }])
public struct SilenceEventMiddleware: EventMiddleware {
  private let isUnwanted: @Sendable (any Error, any AnyCommandEvent) -> Bool

  /// Makes a middleware that silences errors.
  ///
  /// - Parameter isUnwanted: returns `true` to silence an error. By default every error is silenced.
  public init(where isUnwanted: @escaping @Sendable (any Error, any AnyCommandEvent) -> Bool = { _, _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops an event with an unwanted error.
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
