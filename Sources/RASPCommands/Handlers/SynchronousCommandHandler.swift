/// Carries out the commands of one type without ever waiting.
///
///     struct AddHandler: SynchronousCommandHandler {
///       func handle(_ command: Add, publish: Publisher<Add>) throws -> Int { command.left + command.right }
///     }
///     engine.execute(Add(left: 1, right: 2)).outcome   // .handled(3)
///
/// The handler runs on the thread of the sender, inside `execute`, without a task and without a suspension. The
/// execution is over when `execute` returns. Only a ``CommandMiddleware`` that may wait moves the handler into the
/// execution's task.
///
/// Commands that such handlers execute are nested calls, as functions are. Events and reactions are never nested, see
/// ``Engine``.
public protocol SynchronousCommandHandler<CommandType>: CommandHandler {
  /// Carries out a command.
  ///
  /// - Ordering: the result or the error is published as the last event.
  /// - Concurrency: runs on the thread of the sender.
  /// - Errors: an error fails the execution. It is published, and goes to ``Engine/errorHandler``.
  /// - Parameters:
  ///   - command: the command.
  ///   - publish: publishes events to the reactions, until this returns.
  /// - Returns: the result.
  func handle(_ command: CommandType, publish: Publisher<CommandType>) throws -> CommandType.Output
}
