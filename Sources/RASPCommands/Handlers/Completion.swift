import Streams

/// Ends a command whose handler calls back: see ``EngineProtocol/use(_:replacing:completing:)``.
///
/// The first call counts, and further ones do nothing. If every copy is released without a call, the command fails with
/// ``EngineError/notCompleted(_:)``, so that no execution stays for ever.
///
/// - Concurrency: may be called from any thread.
public struct Completion<CommandType: Command>: Sendable {
  private final class Call: Sendable {
    private let continuation: Lock<CheckedContinuation<CommandType.Output, any Error>?>

    init(_ continuation: CheckedContinuation<CommandType.Output, any Error>) {
      self.continuation = Lock(continuation)
    }

    deinit {
      resume(with: .failure(EngineError.notCompleted(CommandType.self)))
    }

    func resume(with result: Result<CommandType.Output, any Error>) {
      continuation.exchange(with: nil)?.resume(with: result)
    }
  }

  private let call: Call

  init(_ continuation: CheckedContinuation<CommandType.Output, any Error>) {
    call = Call(continuation)
  }

  /// Ends the command with a result or an error.
  public func callAsFunction(_ result: Result<CommandType.Output, any Error>) {
    call.resume(with: result)
  }
}
