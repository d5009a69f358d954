/// The identity of a selector. Two selectors are the same if they have the same key paths, or if one is a copy of the
/// other.
@usableFromInline
package enum SelectorID: Hashable, Sendable {
  /// A key path, compared in the ordinary way; or not compared at all, which makes it another selector.
  case keyPath(any AnyKeyPath & Sendable, isComparable: Bool)
  /// A closure has no identity but that of the selector made from it: a ``Token``, or the ``Derivation`` of a selector
  /// that combines others.
  case unique(any AnyObject & Sendable)
  /// The rows of a collection with keys.
  case rows(any AnyKeyPath & Sendable)
  /// The row of a key in such a collection.
  indirect case row(RowKey)
  /// A selector applied to what another one reads.
  indirect case path(SelectorID, SelectorID)

  @usableFromInline
  final class Token: Sendable {
    @usableFromInline init() {}
  }

  /// A key, without its type.
  @usableFromInline
  package struct RowKey: Hashable, Sendable {
    @usableFromInline let key: any ErasedRowKey

    @inlinable
    package init<Key: Hashable & Sendable>(_ key: Key) {
      self.key = TypedRowKey(key)
    }

    package var text: String { key.text }

    @usableFromInline
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.key === rhs.key || lhs.key.isEqual(to: rhs.key) }

    @usableFromInline
    package func hash(into hasher: inout Hasher) {
      hasher.combine(key.hash)
    }
  }

  /// A part of the hash. That of a row is a part of the hash of its key, so that code which has the key finds the row's
  /// selections without making a selector.
  @usableFromInline
  var shortHash: Int32 {
    if case .row(let row) = self { return Int32(truncatingIfNeeded: row.key.hash) }
    return Int32(truncatingIfNeeded: hashValue)
  }

  /// Is `true` if it stands for a collection with keys, also one in a part.
  var isOfRows: Bool {
    switch self {
    case .rows: true
    case .path(_, let last): last.isOfRows
    case .keyPath, .unique, .row: false
    }
  }

  /// Is `true` if it stands for key paths only.
  @usableFromInline var isKeyPath: Bool {
    switch self {
    case .keyPath, .rows: true
    case .unique, .row: false
    case .path(let first, let second): first.isKeyPath && second.isKeyPath
    }
  }

  @usableFromInline
  package static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.keyPath(let lhs, let lhsIsComparable), .keyPath(let rhs, let rhsIsComparable)):
      lhsIsComparable == rhsIsComparable && lhs == rhs
    case (.unique(let lhs), .unique(let rhs)): lhs === rhs
    case (.rows(let lhs), .rows(let rhs)): lhs == rhs
    case (.row(let lhs), .row(let rhs)): lhs == rhs
    case (.path(let lhsFirst, let lhsSecond), .path(let rhsFirst, let rhsSecond)):
      lhsFirst == rhsFirst && lhsSecond == rhsSecond
    default: false
    }
  }

  @usableFromInline
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .keyPath(let keyPath, let isComparable):
      hasher.combine(keyPath)
      hasher.combine(isComparable)
    case .unique(let token): hasher.combine(ObjectIdentifier(token))
    case .rows(let keyPath): hasher.combine(keyPath)
    case .row(let key): hasher.combine(key)
    case .path(let first, let second):
      hasher.combine(first)
      hasher.combine(second)
    }
  }
}
