// The rows of `combineLatest` for two to four inputs. There is one for each number, and not one for a pack: what a loop
// over a pack calls is not specialised by the compiler, so each value would look up a dozen types.

@usableFromInline
package struct Row2<First: Sendable, Second: Sendable>: CombinedRow {
  @usableFromInline
  package enum Part: Sendable {
    case first(First), second(Second)
  }

  @usableFromInline var first: First?
  @usableFromInline var second: Second?

  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package mutating func keep(_ part: Part) {
    switch part {
    case .first(let value): first = value
    case .second(let value): second = value
    }
  }

  @inlinable
  @inline(__always)
  package var all: (First, Second)? {
    guard let first, let second else { return nil }
    return (first, second)
  }

  @inlinable
  package func hasValue(of input: Int) -> Bool {
    switch input {
    case 0: first != nil
    default: second != nil
    }
  }
}

@usableFromInline
package struct Row3<First: Sendable, Second: Sendable, Third: Sendable>: CombinedRow {
  @usableFromInline
  package enum Part: Sendable {
    case first(First), second(Second), third(Third)
  }

  @usableFromInline var first: First?
  @usableFromInline var second: Second?
  @usableFromInline var third: Third?

  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package mutating func keep(_ part: Part) {
    switch part {
    case .first(let value): first = value
    case .second(let value): second = value
    case .third(let value): third = value
    }
  }

  @inlinable
  @inline(__always)
  package var all: (First, Second, Third)? {
    guard let first, let second, let third else { return nil }
    return (first, second, third)
  }

  @inlinable
  package func hasValue(of input: Int) -> Bool {
    switch input {
    case 0: first != nil
    case 1: second != nil
    default: third != nil
    }
  }
}

@usableFromInline
package struct Row4<First: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable>: CombinedRow {
  @usableFromInline
  package enum Part: Sendable {
    case first(First), second(Second), third(Third), fourth(Fourth)
  }

  @usableFromInline var first: First?
  @usableFromInline var second: Second?
  @usableFromInline var third: Third?
  @usableFromInline var fourth: Fourth?

  @inlinable
  package init() {}

  @inlinable
  @inline(__always)
  package mutating func keep(_ part: Part) {
    switch part {
    case .first(let value): first = value
    case .second(let value): second = value
    case .third(let value): third = value
    case .fourth(let value): fourth = value
    }
  }

  @inlinable
  @inline(__always)
  package var all: (First, Second, Third, Fourth)? {
    guard let first, let second, let third, let fourth else { return nil }
    return (first, second, third, fourth)
  }

  @inlinable
  package func hasValue(of input: Int) -> Bool {
    switch input {
    case 0: first != nil
    case 1: second != nil
    case 2: third != nil
    default: fourth != nil
    }
  }
}
