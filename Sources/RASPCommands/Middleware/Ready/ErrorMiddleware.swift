/// Calls a closure with every failure of a command, after all inner middleware, and passes the failure on.
///
///     engine.pipeCommands(through: [ErrorCommandMiddleware { error, command in crashReport.note(error, command) }])
///
/// The closure gets the failure of each attempt if outer middleware retries. The engine's error handler gets only that
/// of the last one.
public struct ErrorCommandMiddleware: SynchronousCommandMiddleware {
  private let onError: @Sendable (any Error, any Command) -> Void

  /// Makes a middleware that passes failures on.
  ///
  /// - Parameter onError: called with each failure, on any thread.
  public init(_ onError: @escaping @Sendable (any Error, any Command) -> Void) {
    self.onError = onError
  }

  /// Calls the closure with a failure.
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

/// Calls a closure with every error event, and with every error of inner middleware, and passes them on.
///
///     engine.pipeEvents(through: [ErrorEventMiddleware { error, event in banner.show(error) }])
public struct ErrorEventMiddleware: EventMiddleware {
  private let onError: @Sendable (any Error, any AnyCommandEvent) -> Void

  /// Makes a middleware that passes errors on.
  ///
  /// - Parameter onError: called with each error, on any thread.
  public init(_ onError: @escaping @Sendable (any Error, any AnyCommandEvent) -> Void) {
    self.onError = onError
  }

  /// Calls the closure with an error.
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
