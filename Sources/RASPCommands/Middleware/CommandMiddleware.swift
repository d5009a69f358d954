/// Stands between the sender of commands and their handlers, and gets every command of an engine.
///
///     struct RequireLogin: CommandMiddleware {
///       func intercept(
///         _ command: any Command,
///         in engine: Engine,
///         next: (any Command) async throws -> Interception
///       ) async throws -> Interception {
///         guard command is any Restricted else { return try await next(command) }
///         guard await session.isValid else { throw NotLoggedIn() }
///         return try await next(command)
///       }
///     }
///     engine.pipeCommands(through: [RequireLogin()])
///
/// A middleware wraps the rest of the chain, so it can
///
/// - observe: look at the command before `next`, and at the result afterwards;
/// - change: give `next` another command of the same type;
/// - stop: return ``Interception/stopped`` without calling `next`; then no handler runs and no event is published;
/// - retry: call `next` again; the last result counts;
/// - fail: throw, or pass on what `next` throws.
///
/// The outcome of the execution is the result of the outermost middleware. Only that is published, so a failed attempt
/// that is retried is no event. A middleware that only decides should be a ``SynchronousCommandMiddleware``.
///
/// - Ordering: the first in the list is the outermost. Outer middleware gets the errors of inner middleware. It may
///   throw another error, or silence it by returning ``Interception/stopped``.
/// - Concurrency: an engine with one such middleware carries out every command in a task, because the middleware may
///   wait.
public protocol CommandMiddleware: Sendable {
  /// Handles a command on its way.
  ///
  /// When the execution is cancelled, so is the task in which this runs, and its result is dropped.
  ///
  /// - Concurrency: any number may run at the same time.
  /// - Errors: an error fails the command, unless outer middleware silences it.
  /// - Parameters:
  ///   - command: the command.
  ///   - engine: the engine, as a handle that does not keep it alive. A command that is executed on it goes through the
  ///     whole chain from the start.
  ///   - next: the rest of the chain.
  /// - Returns: the result of `next`, or ``Interception/stopped``.
  func intercept(
    _ command: any Command,
    in engine: Engine,
    next: (any Command) async throws -> Interception
  ) async throws -> Interception
}
