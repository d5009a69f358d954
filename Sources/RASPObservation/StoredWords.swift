/// The memory of a state, in words of eight bytes. The last word may be shorter.
///
/// Equal bytes are equal values: a value is determined by its bytes and by the objects that they refer to, and a
/// state's objects do not change (see `AggregateState`). Different bytes may be equal values; a reader
/// that needs to know compares them. Bytes that belong to no property are compared too, and may differ without a meaning.
enum StoredWords {
  private static var size: Int { MemoryLayout<UInt64>.size }

  /// The number of words of a type.
  static func count<Value>(of type: Value.Type) -> Int {
    (MemoryLayout<Value>.size + size - 1) / size
  }

  /// The words that a property at an offset has bytes in.
  static func range<Field>(ofFieldAt offset: Int, _ type: Field.Type) -> Range<Int> {
    guard MemoryLayout<Field>.size > 0 else { return 0..<0 }
    return offset / size..<(offset + MemoryLayout<Field>.size + size - 1) / size
  }

  /// The words in which two values differ.
  ///
  /// It reads memory that is not typed: of the two parameters, within their sizes, while it has them to itself.
  static func differences<Value>(_ old: inout Value, _ new: inout Value) -> [Int] {
    withUnsafeBytes(of: &old) { old in
      withUnsafeBytes(of: &new) { new in
        assert(old.count == new.count, "Two values of one type have different sizes.")
        var differing: [Int] = []
        let whole = old.count / size
        for word in 0..<whole {
          let offset = word * size
          if old.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            != new.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          {
            differing.append(word)
          }
        }
        if !old[(whole * size)...].elementsEqual(new[(whole * size)...]) { differing.append(whole) }
        return differing
      }
    }
  }
}
