/// The end of an execution.
public enum CommandOutcome<Output: Sendable>: Sendable {
  /// The handler returned this result.
  case handled(Output)

  /// A middleware stopped the command. No event was published for it.
  case stopped

  /// The handler or a middleware failed, or there is no handler (``EngineError/noHandler(_:)``). The error is a
  /// `CancellationError` if the execution was cancelled.
  case failed(any Error)

  /// The result.
  ///
  /// - Errors: throws the failure; ``EngineError/stopped(_:)`` if a middleware stopped the command.
  package func get(_ command: any Command.Type) throws -> Output {
    switch self {
    case .handled(let output): return output
    case .stopped: throw EngineError.stopped(command)
    case .failed(let error): throw error
    }
  }
}
