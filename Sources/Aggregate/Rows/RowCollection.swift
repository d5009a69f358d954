/// A collection with keys that can tell which of its rows have changed: ``Keyed`` and ``OrderedKeyed``.
///
/// `select(_:key:)` takes it. Other types have no use for it.
public protocol RowCollection<Key, Row>: Sendable {
  /// The type that tells the rows apart.
  associatedtype Key: Hashable & Sendable

  /// The type of a row.
  associatedtype Row: Sendable

  /// The row of a key; `nil` if there is none.
  subscript(key: Key) -> Row? { get }

  /// A number that stands for the content: a collection with another content has another one.
  var contentStamp: UInt64 { get }

  /// The keys of the rows that have changed since the content with a stamp; `nil` if any row may have changed.
  func changedKeys(since stamp: UInt64) -> [Key]?
}
