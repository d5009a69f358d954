/// The identity of a selector. Two selectors are the same if they have the same key paths, or if one is a copy of the
/// other.
@usableFromInline
enum SelectorID: Hashable, Sendable {
  /// A key path, compared in the ordinary way; or not compared at all, which makes it another selector.
  case keyPath(any AnyKeyPath & Sendable, isComparable: Bool)
  /// A closure has no identity but that of the selector made from it.
  case unique(Token)
  /// A selector applied to what another one reads.
  indirect case path(SelectorID, SelectorID)

  @usableFromInline
  final class Token: Sendable {
    @usableFromInline init() {}
  }

  /// Is `true` if it stands for key paths only.
  var isKeyPath: Bool {
    switch self {
    case .keyPath: true
    case .unique: false
    case .path(let first, let second): first.isKeyPath && second.isKeyPath
    }
  }

  @usableFromInline
  static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.keyPath(let lhs, let lhsIsComparable), .keyPath(let rhs, let rhsIsComparable)):
      lhsIsComparable == rhsIsComparable && lhs == rhs
    case (.unique(let lhs), .unique(let rhs)): lhs === rhs
    case (.path(let lhsFirst, let lhsSecond), .path(let rhsFirst, let rhsSecond)):
      lhsFirst == rhsFirst && lhsSecond == rhsSecond
    default: false
    }
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    switch self {
    case .keyPath(let keyPath, let isComparable):
      hasher.combine(keyPath)
      hasher.combine(isComparable)
    case .unique(let token): hasher.combine(ObjectIdentifier(token))
    case .path(let first, let second):
      hasher.combine(first)
      hasher.combine(second)
    }
  }
}
