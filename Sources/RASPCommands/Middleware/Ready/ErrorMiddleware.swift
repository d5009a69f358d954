/// Hears of every failure of a command, once all middleware behind it has had its say, and lets it pass.
///
///     engine.pipeCommands(through: [ErrorCommandMiddleware { error, command in crashReport.note(error, command) }])
///
/// It hears of each attempt, if middleware further out retries. The engine's error handler hears of the last one only.
public struct ErrorCommandMiddleware: SynchronousCommandMiddleware {
  private let onError: @Sendable (any Error, any Command) -> Void

  /// - Parameter onError: called with each failure, from any thread.
  public init(_ onError: @escaping @Sendable (any Error, any Command) -> Void) {
    self.onError = onError
  }

  /// Tells of a failure.
  public func didExecute(
    _ command: any Command,
    _ result: Result<Interception, any Error>,
    attempt: Int,
    in engine: Engine
  ) throws -> CommandReview {
    if case .failure(let error) = result { onError(error, command) }
    return .accept
  }
}

/// Hears of every error event, and of every error of middleware behind it, and lets them pass.
///
///     engine.pipeEvents(through: [ErrorEventMiddleware { error, event in banner.show(error) }])
public struct ErrorEventMiddleware: EventMiddleware {
  private let onError: @Sendable (any Error, any AnyCommandEvent) -> Void

  /// - Parameter onError: called with each error, from any thread.
  public init(_ onError: @escaping @Sendable (any Error, any AnyCommandEvent) -> Void) {
    self.onError = onError
  }

  /// Tells of an error.
  public func intercept(
    _ event: any AnyCommandEvent,
    in engine: Engine,
    next: (any AnyCommandEvent) throws -> Interception
  ) throws -> Interception {
    if let error = event.error { onError(error, event) }
    do {
      return try next(event)
    } catch {
      onError(error, event)
      throw error
    }
  }
}
