/// Stands between the sender of commands and their handlers without ever waiting, in two steps: one before the rest of
/// the chain and one after it.
///
///     struct RetryOnce: SynchronousCommandMiddleware {
///       func didExecute(
///         _ command: any Command, _ result: Result<Interception, any Error>, attempt: Int, in engine: Engine
///       ) throws -> CommandReview {
///         if case .failure = result, attempt == 1 { .retry(command) } else { .accept }
///       }
///     }
///
/// In two steps it serves both kinds of handlers: a command with a ``SynchronousCommandHandler`` stays on the thread of
/// its sender. A middleware that wraps an asynchronous `next` could not do that.
public protocol SynchronousCommandMiddleware: CommandMiddleware {
  /// Handles a command before the rest of the chain. By default the command is passed on.
  ///
  /// - Errors: an error fails the command.
  /// - Returns: the command to go on with, of the same type; `nil` stops it.
  func willExecute(_ command: any Command, in engine: Engine) throws -> (any Command)?

  /// Handles a result after the rest of the chain. By default the result is accepted. It is not called for a command
  /// that ``willExecute(_:in:)`` stopped or failed.
  ///
  /// - Errors: an error fails the command.
  /// - Parameters:
  ///   - command: the command that was passed on.
  ///   - result: the result of the rest of the chain.
  ///   - attempt: the number of times that the command has been passed on; 1 the first time.
  ///   - engine: the engine, as a handle that does not keep it alive.
  /// - Returns: the review of the result.
  func didExecute(
    _ command: any Command,
    _ result: Result<Interception, any Error>,
    attempt: Int,
    in engine: Engine
  ) throws -> CommandReview
}

/// The review of a result by a middleware.
public enum CommandReview: Sendable {
  /// Accepts the result. A failure stays a failure.
  case accept

  /// Passes on this command, and reviews its result.
  case retry(any Command)

  /// Treats the command as stopped, whatever its result was: no result, no failure, no event.
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

  /// Runs the two steps around an asynchronous rest of the chain.
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
      // A cancelled execution needs no retry, and a handler that checks for cancellation would fail for ever.
      case .retry where Task.isCancelled: return try result.get()
      case .retry(let again): command = again
      case .stop: return .stopped
      }
      attempt += 1
    }
    return .stopped
  }

  /// Runs the two steps around a rest of the chain that does not wait.
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
