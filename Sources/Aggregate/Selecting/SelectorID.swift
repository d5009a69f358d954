/// The identity of a selector. Two selectors are the same if they have the same key paths and compare alike, or if one
/// is a copy of the other.
@usableFromInline
package enum SelectorID: Hashable, Sendable {
  /// A key path.
  case keyPath(any AnyKeyPath & Sendable, ComparisonKind)
  /// A closure has no identity but that of the selector made from it, and so has a comparison of the user.
  case unique(Token)
  /// The rows of a collection with keys.
  case rows(any AnyKeyPath & Sendable)
  /// The row of a key in such a collection.
  indirect case row(RowKey, ComparisonKind)
  /// A selector applied to what another one reads.
  indirect case path(SelectorID, SelectorID)

  @usableFromInline
  package final class Token: Hashable, Sendable {
    /// Is `true` if the selector combines others.
    @usableFromInline let isDerived: Bool

    @usableFromInline
    package init(isDerived: Bool = false) {
      self.isDerived = isDerived
    }

    @usableFromInline
    package static func == (lhs: Token, rhs: Token) -> Bool { lhs === rhs }

    @usableFromInline
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  /// A key, without its type.
  @usableFromInline
  package struct RowKey: Hashable, Sendable {
    @usableFromInline let key: any ErasedRowKey

    @inlinable
    package init(_ key: some Hashable & Sendable) {
      self.key = TypedRowKey(key)
    }

    package var text: String { key.text }

    @usableFromInline
    package static func == (lhs: Self, rhs: Self) -> Bool { lhs.key === rhs.key || lhs.key.isEqual(to: rhs.key) }

    @usableFromInline
    package func hash(into hasher: inout Hasher) { hasher.combine(key.hash) }
  }

  /// A part of the hash. That of a row is a part of the hash of its key, so that code which has the key finds the row's
  /// selections without making a selector.
  @usableFromInline
  var shortHash: Int32 {
    if case .row(let row, _) = self { return Int32(truncatingIfNeeded: row.key.hash) }
    return Int32(truncatingIfNeeded: hashValue)
  }

  /// Is `true` if it stands for a selector that combines others, or for one with such a part.
  @usableFromInline var isDerived: Bool {
    switch self {
    case .unique(let token): token.isDerived
    case .path(let first, let last): first.isDerived || last.isDerived
    case .keyPath, .rows, .row: false
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
}

/// The key of a row, without its type.
@usableFromInline
protocol ErasedRowKey: AnyObject, Sendable {
  /// The hash of the key.
  var hash: Int { get }

  func isEqual(to other: any ErasedRowKey) -> Bool

  var text: String { get }
}

/// The key of a row.
@usableFromInline
final class TypedRowKey<Key: Hashable & Sendable>: ErasedRowKey {
  @usableFromInline let key: Key
  @usableFromInline let hash: Int

  @inlinable
  init(_ key: Key) {
    self.key = key
    hash = key.hashValue
  }

  @usableFromInline
  func isEqual(to other: any ErasedRowKey) -> Bool { (other as? TypedRowKey)?.key == key }

  @usableFromInline var text: String { String(reflecting: key) }
}
