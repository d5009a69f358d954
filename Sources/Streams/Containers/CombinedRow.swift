/// The newest values of several inputs.
///
/// The row of a few inputs is made of ``CombinedValue`` and ``CombinedPair``, and not of a pack: what a loop over a
/// pack calls is not specialised by the compiler, so each value would look up a dozen types.
@usableFromInline
package protocol CombinedRow: Sendable {
  /// The value of one of them.
  associatedtype Part: Sendable
  associatedtype All: Sendable

  static var inputCount: Int { get }

  init()

  mutating func keep(_ part: Part)

  /// All values; `nil` while one is missing.
  var all: All? { get }

  /// - Parameter input: its number; the first has the number 0.
  func hasValue(of input: Int) -> Bool
}

/// The newest value of one input.
@usableFromInline
package struct CombinedValue<Value: Sendable>: CombinedRow {
  @usableFromInline package var all: Value?

  @inlinable package static var inputCount: Int { 1 }

  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package mutating func keep(_ value: Value) { all = value }

  @inlinable
  package func hasValue(of input: Int) -> Bool { all != nil }
}

/// The newest values of two rows together.
@usableFromInline
package struct CombinedPair<First: CombinedRow, Second: CombinedRow>: CombinedRow {
  @usableFromInline
  package enum Part: Sendable {
    case first(First.Part), second(Second.Part)
  }

  @usableFromInline var first = First()
  @usableFromInline var second = Second()

  @inlinable package static var inputCount: Int { First.inputCount + Second.inputCount }

  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package mutating func keep(_ part: Part) {
    switch part {
    case .first(let part): first.keep(part)
    case .second(let part): second.keep(part)
    }
  }

  @inlinable
  @inline(__always)
  package var all: (First.All, Second.All)? {
    guard let first = first.all, let second = second.all else { return nil }
    return (first, second)
  }

  @inlinable
  package func hasValue(of input: Int) -> Bool {
    input < First.inputCount ? first.hasValue(of: input) : second.hasValue(of: input - First.inputCount)
  }
}

@usableFromInline package typealias Row2<First: Sendable, Second: Sendable> =
  CombinedPair<CombinedValue<First>, CombinedValue<Second>>

@usableFromInline package typealias Row4<First: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable> =
  CombinedPair<Row2<First, Second>, Row2<Third, Fourth>>
