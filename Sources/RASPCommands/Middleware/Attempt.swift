import Streams

/// The last attempt to carry out a command at the end of its middleware. The run keeps it, so it does not know the type of the
/// result: an object for it would look up types when it is released.
@usableFromInline
struct Attempt: Sendable {
  /// The result; `nil` if there is none.
  @usableFromInline let output: (any Sendable)?
  /// Is `true` if there was no handler. The error alone does not tell: a handler that executes the command on another
  /// engine may get the same from there.
  @usableFromInline let isUndelivered: Bool

  @inlinable
  init(_ output: (any Sendable)?, isUndelivered: Bool = false) {
    self.output = output
    self.isUndelivered = isUndelivered
  }

  /// Returns whether an error says that there was no handler for the last attempt.
  @usableFromInline
  func isUndelivered(_ error: any Error, _ command: any Command.Type) -> Bool {
    isUndelivered && error as? EngineError == .noHandler(command)
  }
}

extension Publisher {
  /// Ends the execution with the outcome of the outermost middleware and the result of the last attempt.
  @inlinable
  func finish(behindMiddleware outcome: Outcome<Void>) {
    let attempt = run.takeAttempt()
    switch outcome {
    case .handled:
      finish(attempt.output.flatMap { same($0, as: CommandType.Output.self) }.map { .handled($0) } ?? .stopped)
    case .stopped:
      finish(.stopped)
    case .failed(let error):
      finish(.failed(error), isUndelivered: attempt.isUndelivered(error, CommandType.self))
    }
  }
}
