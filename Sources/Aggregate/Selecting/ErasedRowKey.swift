/// The key of a row, without its type.
@usableFromInline
protocol ErasedRowKey: AnyObject, Sendable {
  /// The hash of the key.
  var hash: Int { get }
  var text: String { get }

  func isEqual(to other: any ErasedRowKey) -> Bool
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
