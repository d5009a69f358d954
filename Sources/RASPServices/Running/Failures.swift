/// The errors of one dispatch, in the order in which they occurred. There may be several, because services run at the
/// same time.
struct Failures: Error {
  struct Failure: Sendable {
    let error: any Error
    /// Is `true` if it has been turned into an action already, or must not be.
    let isFinal: Bool
  }

  private(set) var first: Failure
  private(set) var others: [Failure] = []

  init(_ error: any Error, isFinal: Bool = false) {
    first = Failure(error: error, isFinal: isFinal)
  }

  var all: [Failure] { [first] + others }

  mutating func add(_ more: Failures) {
    others += more.all
  }
}

extension Optional where Wrapped == Failures {
  mutating func add(_ more: Failures?) {
    guard let more else { return }
    if self == nil {
      self = more
    } else {
      self?.add(more)
    }
  }

  /// Throws the failures, if there are any.
  func get() throws(Failures) {
    if let self { throw self }
  }
}
