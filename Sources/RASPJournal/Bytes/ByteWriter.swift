/// Bytes that a ``Coding`` by hand appends to: numbers in little endian, text in UTF-8.
public struct ByteWriter: ~Copyable, Sendable {
  @usableFromInline var bytes: [UInt8] = []

  init() {}

  /// The number of bytes so far.
  @inlinable public var count: Int { bytes.count }

  /// Appends one byte.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public mutating func append(_ byte: UInt8) {
    bytes.append(byte)
  }

  /// Appends an integer with as many bytes as its type has.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public mutating func append<Integer: FixedWidthInteger>(_ integer: Integer) {
    withUnsafeBytes(of: integer.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends an integer with eight bytes, also where the processor has 32 bits.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public mutating func append(_ integer: Int) {
    append(Int64(integer))
  }

  /// Appends a number with all its bits, also one that is not finite.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public mutating func append(_ number: Double) {
    append(number.bitPattern)
  }

  /// Appends an integer with seven bits in each byte (LEB128): small ones take one byte, the largest ten.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public mutating func appendVarint(_ integer: UInt64) {
    var rest = integer
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a text: its length as a varint, then its UTF-8.
  ///
  /// - Complexity: O(length).
  @inlinable
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      appendVarint(UInt64(utf8.count))
      bytes.append(contentsOf: utf8)
    }
  }

  /// Appends bytes as they are, without their number.
  ///
  /// - Complexity: O(count).
  @inlinable
  public mutating func append(contentsOf more: some Sequence<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// Appends a signed integer so that those near zero take one byte: 0, -1, 1, -2 … are written as 0, 1, 2, 3 …
  @inlinable
  mutating func appendZigzag(_ integer: Int64) {
    appendVarint(UInt64(bitPattern: integer << 1 ^ integer >> 63))
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }
}
