// The rows of `combineLatest` for five to eight inputs, as those for two to four.

@usableFromInline
package struct Row5<First: Sendable, Second: Sendable, Third: Sendable, Fourth: Sendable, Fifth: Sendable>: CombinedRow
{
  @usableFromInline
  package enum Part: Sendable {
    case first(First), second(Second), third(Third), fourth(Fourth), fifth(Fifth)
  }

  @usableFromInline var first: First?
  @usableFromInline var second: Second?
  @usableFromInline var third: Third?
  @usableFromInline var fourth: Fourth?
  @usableFromInline var fifth: Fifth?

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
    case .fifth(let value): fifth = value
    }
  }

  @inlinable
  @inline(__always)
  package var all: (First, Second, Third, Fourth, Fifth)? {
    guard let first, let second, let third, let fourth, let fifth else { return nil }
    return (first, second, third, fourth, fifth)
  }

  @inlinable
  package func hasValue(of input: Int) -> Bool {
    switch input {
    case 0: first != nil
    case 1: second != nil
    case 2: third != nil
    case 3: fourth != nil
    default: fifth != nil
    }
  }
}

@usableFromInline
package struct Row6<
  First: Sendable,
  Second: Sendable,
  Third: Sendable,
  Fourth: Sendable,
  Fifth: Sendable,
  Sixth: Sendable
>:
  CombinedRow
{
  @usableFromInline
  package enum Part: Sendable {
    case first(First), second(Second), third(Third), fourth(Fourth), fifth(Fifth), sixth(Sixth)
  }

  @usableFromInline var first: First?
  @usableFromInline var second: Second?
  @usableFromInline var third: Third?
  @usableFromInline var fourth: Fourth?
  @usableFromInline var fifth: Fifth?
  @usableFromInline var sixth: Sixth?

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
    case .fifth(let value): fifth = value
    case .sixth(let value): sixth = value
    }
  }

  @inlinable
  @inline(__always)
  package var all: (First, Second, Third, Fourth, Fifth, Sixth)? {
    guard let first, let second, let third, let fourth, let fifth, let sixth else { return nil }
    return (first, second, third, fourth, fifth, sixth)
  }

  @inlinable
  package func hasValue(of input: Int) -> Bool {
    switch input {
    case 0: first != nil
    case 1: second != nil
    case 2: third != nil
    case 3: fourth != nil
    case 4: fifth != nil
    default: sixth != nil
    }
  }
}

@usableFromInline
package struct Row7<
  First: Sendable,
  Second: Sendable,
  Third: Sendable,
  Fourth: Sendable,
  Fifth: Sendable,
  Sixth: Sendable,
  Seventh: Sendable
>: CombinedRow {
  @usableFromInline
  package enum Part: Sendable {
    case first(First), second(Second), third(Third), fourth(Fourth), fifth(Fifth), sixth(Sixth), seventh(Seventh)
  }

  @usableFromInline var first: First?
  @usableFromInline var second: Second?
  @usableFromInline var third: Third?
  @usableFromInline var fourth: Fourth?
  @usableFromInline var fifth: Fifth?
  @usableFromInline var sixth: Sixth?
  @usableFromInline var seventh: Seventh?

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
    case .fifth(let value): fifth = value
    case .sixth(let value): sixth = value
    case .seventh(let value): seventh = value
    }
  }

  @inlinable
  @inline(__always)
  package var all: (First, Second, Third, Fourth, Fifth, Sixth, Seventh)? {
    guard let first, let second, let third, let fourth, let fifth, let sixth, let seventh else { return nil }
    return (first, second, third, fourth, fifth, sixth, seventh)
  }

  @inlinable
  package func hasValue(of input: Int) -> Bool {
    switch input {
    case 0: first != nil
    case 1: second != nil
    case 2: third != nil
    case 3: fourth != nil
    case 4: fifth != nil
    case 5: sixth != nil
    default: seventh != nil
    }
  }
}

@usableFromInline
package struct Row8<
  First: Sendable,
  Second: Sendable,
  Third: Sendable,
  Fourth: Sendable,
  Fifth: Sendable,
  Sixth: Sendable,
  Seventh: Sendable,
  Eighth: Sendable
>: CombinedRow {
  @usableFromInline
  package enum Part: Sendable {
    case first(First), second(Second), third(Third), fourth(Fourth), fifth(Fifth), sixth(Sixth), seventh(Seventh),
      eighth(Eighth)
  }

  @usableFromInline var first: First?
  @usableFromInline var second: Second?
  @usableFromInline var third: Third?
  @usableFromInline var fourth: Fourth?
  @usableFromInline var fifth: Fifth?
  @usableFromInline var sixth: Sixth?
  @usableFromInline var seventh: Seventh?
  @usableFromInline var eighth: Eighth?

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
    case .fifth(let value): fifth = value
    case .sixth(let value): sixth = value
    case .seventh(let value): seventh = value
    case .eighth(let value): eighth = value
    }
  }

  @inlinable
  @inline(__always)
  package var all: (First, Second, Third, Fourth, Fifth, Sixth, Seventh, Eighth)? {
    guard let first, let second, let third, let fourth, let fifth, let sixth, let seventh, let eighth else {
      return nil
    }
    return (first, second, third, fourth, fifth, sixth, seventh, eighth)
  }

  @inlinable
  package func hasValue(of input: Int) -> Bool {
    switch input {
    case 0: first != nil
    case 1: second != nil
    case 2: third != nil
    case 3: fourth != nil
    case 4: fifth != nil
    case 5: sixth != nil
    case 6: seventh != nil
    default: eighth != nil
    }
  }
}
