/// Calls a closure with every failure, after all inner middleware, and passes the failure on.
///
///     engine.add(ErrorCommandMiddleware { error, command in crashReport.note(error, command) })
///     engine.add(ErrorMiddleware<any AnyCommandEvent> { error, event in banner.show(error) })
///
/// Around commands, the closure gets the failure of each attempt if outer middleware retries; the engine's error
/// handler gets only that of the last one. Around events, it gets every error event, and every error of inner
/// middleware.
public struct ErrorMiddleware<Input: Sendable>: Middleware {
  private let onError: @Sendable (any Error, Input) -> Void

  /// Makes a middleware that passes failures on.
  ///
  /// - Parameter onError: called with each failure, on any thread. By default it prints.
  public init(_ onError: @escaping @Sendable (any Error, Input) -> Void = { print("failed \($1): \($0)") }) {
    self.onError = onError
  }

  /// Calls the closure with a failure.
  public func intercept(_ input: Input, next: Next<Input>) -> MiddlewareResult<Input> {
    if let error = (input as? any AnyCommandEvent)?.error { onError(error, input) }
    return next(input).then { [onError] outcome in
      if case .failed(let error) = outcome { onError(error, input) }
      return MiddlewareResult(outcome)
    }
  }
}

/// Calls a closure with every failure of a command.
public typealias ErrorCommandMiddleware = ErrorMiddleware<any Command>

/// Silences failures that a closure selects: the command counts as stopped, and no reaction gets the error.
///
///     engine.add(QuietMiddleware<any Command> { error, _ in error is Outdated })
///     engine.add(QuietMiddleware<any AnyCommandEvent> { error, _ in error is Outdated })
///
/// Neither an error event is published nor the error handler called.
public struct QuietMiddleware<Input: Sendable>: Middleware {
  private let isUnwanted: @Sendable (any Error, Input) -> Bool

  /// Makes a middleware that silences failures.
  ///
  /// - Parameter isUnwanted: returns `true` to silence a failure. By default every failure is silenced.
  public init(where isUnwanted: @escaping @Sendable (any Error, Input) -> Bool = { _, _ in true }) {
    self.isUnwanted = isUnwanted
  }

  /// Stops what failed with an unwanted error.
  public func intercept(_ input: Input, next: Next<Input>) -> MiddlewareResult<Input> {
    if let error = (input as? any AnyCommandEvent)?.error, isUnwanted(error, input) { return .stopped }
    return next(input).then { [isUnwanted] outcome in
      if case .failed(let error) = outcome, isUnwanted(error, input) { return .stopped }
      return MiddlewareResult(outcome)
    }
  }
}
