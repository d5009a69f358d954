/// A command middleware that never waits, split into what it does before the rest of the chain and what it does after.
///
///     struct RetryOnce: SynchronousCommandMiddleware {
///       func didExecute(
///         _ command: any Command, _ result: Result<Interception, any Error>, attempt: Int, in engine: Engine
///       ) throws -> CommandReview {
///         if case .failure = result, attempt == 1 { .retry(command) } else { .accept }
///       }
///     }
///
/// Split, it serves both kinds of handler: a command with a ``SynchronousCommandHandler`` stays on the thread of its
/// sender, which wrapping an asynchronous `next` could not do.
public protocol SynchronousCommandMiddleware: CommandMiddleware {
  /// Called before the rest of the chain. Passes the command on unless you say otherwise.
  ///
  /// - Returns: the command to go on with, of the same type; `nil` stops it.
  /// - Throws: to fail the command.
  func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)?

  /// Called after the rest of the chain, unless ``willExecute(_:in:)`` stopped or failed the command. Accepts the result
  /// unless you say otherwise.
  ///
  /// - Parameters:
  ///   - command: what was passed on.
  ///   - result: what came of it.
  ///   - attempt: how often it has been passed on by now; 1 the first time.
  ///   - engine: the engine, as a handle that does not keep it alive.
  /// - Throws: to fail the command.
  func didExecute(
    _ command: any Command,
    _ result: Result<Interception, any Error>,
    attempt: Int,
    in engine: Engine
  ) throws -> CommandReview
}

/// What a middleware makes of a result.
public enum CommandReview: Sendable {
  /// Leave it: a failure stays a failure.
  case accept

  /// Pass on this command, and review again.
  case retry(any Command)

  /// Treat the command as stopped, whatever came of it: no result, no failure, no event.
  case stop
}

extension SynchronousCommandMiddleware {
  /// Passes the command on.
  public func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)? { command }

  /// Accepts the result.
  public func didExecute(
    _ command: any Command,
    _ result: Result<Interception, any Error>,
    attempt: Int,
    in engine: Engine
  ) throws -> CommandReview { .accept }

  /// The two halves around an asynchronous rest of the chain.
  public func intercept(
    _ command: any Command,
    in engine: Engine,
    next: (any Command) async throws -> Interception
  ) async throws -> Interception {
    var command = command
    var attempt = 1
    while let passedOn = try willExecute(command, in: engine) {
      let result: Result<Interception, any Error>
      do { result = .success(try await next(passedOn)) } catch { result = .failure(error) }
      switch try didExecute(passedOn, result, attempt: attempt, in: engine) {
      case .accept: return try result.get()
      // Nobody wants it any more, and a handler that notices would fail for ever.
      case .retry where Task.isCancelled: return try result.get()
      case .retry(let again): command = again
      case .stop: return .stopped
      }
      attempt += 1
    }
    return .stopped
  }

  /// The same around a rest of the chain that does not wait.
  func interceptSynchronously(
    _ command: any Command,
    in engine: Engine,
    next: (any Command) throws -> Interception
  ) throws -> Interception {
    var command = command
    var attempt = 1
    while let passedOn = try willExecute(command, in: engine) {
      let result = Result { try next(passedOn) }
      switch try didExecute(passedOn, result, attempt: attempt, in: engine) {
      case .accept: return try result.get()
      case .retry(let again): command = again
      case .stop: return .stopped
      }
      attempt += 1
    }
    return .stopped
  }
}
