import TestSupport

/// Random programs that run on an aggregator and on a plain reference, which must say the same.
package enum RandomTree {
  /// Whether the state can refuse.
  package protocol Mode: Sendable {
    associatedtype Refusal: Error
    static var refuses: Bool { get }
    static func refuse() throws(Refusal)
  }

  package enum Willing: Mode {
    package static var refuses: Bool { false }
    package static func refuse() throws(Never) {}
  }

  package enum Picky: Mode {
    package static var refuses: Bool { true }
    package static func refuse() throws(TestError) { throw TestError() }
  }
}
