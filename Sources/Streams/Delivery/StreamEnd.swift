/// How a stream ended, as a value.
///
/// Cancellation is not an end: who cancels knows it, and hears nothing more.
public enum StreamEnd<Failure: Error>: Sendable {
  /// Everything has been sent.
  case finished

  /// The stream broke and cannot go on.
  case failed(Failure)

  /// Throws the failure, if that is what it was.
  public func get() throws(Failure) {
    if case .failed(let failure) = self { throw failure }
  }
}

extension StreamEnd: Equatable where Failure: Equatable {}
extension StreamEnd: Hashable where Failure: Hashable {}
