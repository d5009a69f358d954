/// The key of a row, without its type.
///
/// Safe to share: it does not change, and its subclass holds a value that is safe to share.
@usableFromInline
class ErasedRowKey: @unchecked Sendable {
  /// The hash of the key.
  @usableFromInline final let hash: Int

  @inlinable
  init(hash: Int) {
    self.hash = hash
  }

  @usableFromInline
  func isEqual(to other: ErasedRowKey) -> Bool { self === other }

  @usableFromInline var text: String { "" }
}

/// The key of a row.
///
/// Safe to share: as its superclass.
@usableFromInline
final class TypedRowKey<Key: Hashable & Sendable>: ErasedRowKey, @unchecked Sendable {
  @usableFromInline let key: Key

  @inlinable
  init(_ key: Key) {
    self.key = key
    super.init(hash: key.hashValue)
  }

  @usableFromInline
  override func isEqual(to other: ErasedRowKey) -> Bool { (other as? TypedRowKey)?.key == key }

  @usableFromInline override var text: String { String(reflecting: key) }
}
