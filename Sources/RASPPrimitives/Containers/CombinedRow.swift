/// The newest values of several inputs.
@usableFromInline
package protocol CombinedRow: Sendable {
  /// The value of one of them.
  associatedtype Part: Sendable
  associatedtype All: Sendable

  init()

  mutating func keep(_ part: Part)

  /// All values; `nil` while one is missing.
  var all: All? { get }

  func hasValue(of input: Int) -> Bool
}
