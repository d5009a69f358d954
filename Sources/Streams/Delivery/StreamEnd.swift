/// The end of a stream: it has finished, or failed.
///
/// Cancellation is not an end: the code that cancels knows about it, and its observer gets nothing more.
public enum StreamEnd<Failure: Error>: Sendable {
  /// Everything has been sent.
  case finished

  /// The stream broke and cannot go on.
  case failed(Failure)

  /// Throws the failure, if there is one.
  ///
  /// - Errors: throws the stream's failure; nothing if the stream has finished.
  /// - Complexity: O(1).
  public func get() throws(Failure) {
    if case .failed(let failure) = self { throw failure }
  }
}

extension StreamEnd: Equatable where Failure: Equatable {}
extension StreamEnd: Hashable where Failure: Hashable {}
