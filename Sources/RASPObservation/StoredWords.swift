/// The memory of a state, in words of eight bytes. The last word may be shorter.
///
/// Equal bytes are equal values: a value is determined by its bytes and by the objects that they refer to, and a
/// state's objects do not change (see `AggregateState`). Different bytes may be equal values; a reader
/// that needs to know compares them. Bytes that belong to no property are compared too, and may differ without a
/// meaning.
enum StoredWords {
  static var size: Int { MemoryLayout<UInt64>.size }

  /// The number of words of a type, which has so many bytes.
  static func count(ofBytes bytes: Int) -> Int {
    (bytes + size - 1) / size
  }

  /// The words that a property at an offset has bytes in.
  static func range<Field>(ofFieldAt offset: Int, _ type: Field.Type) -> Range<Int> {
    guard MemoryLayout<Field>.size > 0 else { return 0..<0 }
    return offset / size..<(offset + MemoryLayout<Field>.size + size - 1) / size
  }

  /// Calls `body` with the number of each word in which two values differ.
  ///
  /// It reads memory that is not typed: so many bytes at each of the two addresses, which hold values of one type.
  ///
  /// - Parameter count: the size of the type.
  static func forEachDifference(
    _ old: UnsafeRawPointer,
    _ new: UnsafeRawPointer,
    count: Int,
    _ body: (Int) -> Void
  ) {
    let whole = count / size
    for word in 0..<whole {
      let offset = word * size
      let isEqual =
        old.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        == new.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      if !isEqual { body(word) }
    }
    for offset in whole * size..<count
    where old.load(fromByteOffset: offset, as: UInt8.self) != new.load(fromByteOffset: offset, as: UInt8.self) {
      return body(whole)
    }
  }
}
