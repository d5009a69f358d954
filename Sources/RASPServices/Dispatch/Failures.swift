/// The errors of one dispatch, in the order in which they occurred. There may be several, because services run at the
/// same time. If the list is empty, something failed, and every error was turned into an action.
struct Failures: Sendable {
  struct Failure: Sendable {
    let error: any Error
    /// Is `true` if it has been turned into an action already, or must not be.
    var isFinal: Bool
  }

  private(set) var all: [Failure]

  /// No errors that are left.
  static let allTransformed = Failures(all: [])

  private init(all: [Failure]) {
    self.all = all
  }

  init(_ error: any Error, isFinal: Bool = false) {
    all = [Failure(error: error, isFinal: isFinal)]
  }

  /// The same errors, none of which is turned into an action.
  var final: Failures {
    Failures(all: all.map { Failure(error: $0.error, isFinal: true) })
  }

  mutating func add(_ more: Failures) {
    all += more.all
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
}
