/// Stands between the sender of commands and their handlers, and sees every command of an engine.
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
/// It wraps the rest of the chain, so it can
///
/// - observe: look at the command before `next`, and at what became of it afterwards;
/// - change: give `next` another command of the same type;
/// - stop: return ``Interception/stopped`` without calling `next`, and there is no handler and no event;
/// - retry: call `next` again; the last answer counts;
/// - fail: throw, or let through what `next` throws.
///
/// The first in the list is the outermost. Middleware further out sees what middleware further in throws, and may throw
/// something else, or return ``Interception/stopped`` and so silence it. What leaves the outermost is the outcome of the
/// execution: only that is published, so a failed attempt that is retried is no event.
///
/// Because it may wait, commands are executed in a task as soon as an engine has one of these. Middleware that only
/// decides is better off as a ``SynchronousCommandMiddleware``.
public protocol CommandMiddleware: Sendable {
  /// Deals with a command.
  ///
  /// Any number may be under way at once. When the execution is cancelled, so is the task that this runs in, and
  /// whatever comes of it is dropped.
  ///
  /// - Parameters:
  ///   - command: what is to be done.
  ///   - engine: the engine, as a handle that does not keep it alive. What is executed on it goes through the whole
  ///     chain from the start.
  ///   - next: the rest of the chain.
  /// - Returns: what `next` returned, or ``Interception/stopped``.
  /// - Throws: to fail the command.
  func intercept(
    _ command: any Command,
    in engine: Engine,
    next: (any Command) async throws -> Interception
  ) async throws -> Interception
}
