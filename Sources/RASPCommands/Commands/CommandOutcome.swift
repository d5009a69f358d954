/// How an execution ended.
public enum CommandOutcome<Output: Sendable>: Sendable {
  /// The handler did it, and this is the result.
  case handled(Output)

  /// A middleware did not let it through: nothing was published.
  case stopped

  /// The handler or a middleware failed, or there is no handler (``EngineError/noHandler(_:)``); `CancellationError` if
  /// the execution was cancelled.
  case failed(any Error)

  /// The result.
  ///
  /// - Throws: the failure; ``EngineError/stopped(_:)`` if a middleware stopped the command.
  package func get(_ command: any Command.Type) throws -> Output {
    switch self {
    case .handled(let output): return output
    case .stopped: throw EngineError.stopped(command)
    case .failed(let error): throw error
    }
  }
}
