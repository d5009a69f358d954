/// A handler that never waits.
///
///     struct AddHandler: SynchronousCommandHandler {
///       func handle(_ command: Add, publish: Publisher<Add>) throws -> Int { command.left + command.right }
///     }
///     engine.execute(Add(left: 1, right: 2)).outcome   // .handled(3)
///
/// It runs on the thread of the sender, inside `execute`, without a task and without a suspension, and the execution is
/// over when `execute` returns. Only a ``CommandMiddleware`` that may wait moves it into the execution's task.
///
/// Commands that such handlers execute are nested calls, as functions are; events and reactions never are, see
/// ``Engine``.
public protocol SynchronousCommandHandler<HandledCommand>: CommandHandler {
  /// Carries out a command, on the thread of the sender.
  ///
  /// - Parameters:
  ///   - command: what to do.
  ///   - publish: tells the reactions how it goes, until this returns.
  /// - Returns: the result. It is published as the last event.
  /// - Throws: to fail. The error is published as the last event, and goes to ``Engine/errorHandler``; the engine goes on.
  func handle(_ command: HandledCommand, publish: Publisher<HandledCommand>) throws -> HandledCommand.Output
}
