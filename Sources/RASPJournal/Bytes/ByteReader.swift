/// Bytes that a ``Coding`` by hand reads, in the order in which a ``ByteWriter`` has appended them.
///
/// Safe although it refers to memory of others: it cannot be copied, only this module makes one, and it is lent
/// to a closure, so it is gone before the memory is.
public struct ByteReader: ~Copyable {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var position = 0

  @inlinable
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The number of bytes that are left.
  @inlinable public var remaining: Int { bytes.count &- position }

  /// Reads one byte.
  ///
  /// - Errors: ``ByteError/ended`` if there is none.
  /// - Complexity: O(1).
  @inlinable
  public mutating func readByte() throws(ByteError) -> UInt8 {
    bytes[try advance(by: 1)]
  }

  /// Reads an integer of a type.
  ///
  /// - Errors: ``ByteError/ended`` if there are not as many bytes as the type has.
  /// - Complexity: O(1).
  @inlinable
  public mutating func read<Integer: FixedWidthInteger & BitwiseCopyable>(
    _ type: Integer.Type
  ) throws(ByteError) -> Integer {
    let start = try advance(by: MemoryLayout<Integer>.size)
    return Integer(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: type))
  }

  /// Reads an integer that was written with eight bytes.
  ///
  /// - Errors: ``ByteError/ended``, and ``ByteError/numberTooLarge`` where the processor has 32 bits.
  /// - Complexity: O(1).
  @inlinable
  public mutating func read(_ type: Int.Type) throws(ByteError) -> Int {
    guard let integer = Int(exactly: try read(Int64.self)) else { throw .numberTooLarge }
    return integer
  }

  /// Reads a number with all its bits.
  ///
  /// - Errors: ``ByteError/ended`` if there are less than eight bytes.
  /// - Complexity: O(1).
  @inlinable
  public mutating func read(_ type: Double.Type) throws(ByteError) -> Double {
    Double(bitPattern: try read(UInt64.self))
  }

  /// Reads an integer of seven bits in each byte (LEB128).
  ///
  /// - Errors: ``ByteError/ended``, and ``ByteError/numberTooLarge`` if it has more than 64 bits.
  /// - Complexity: O(1).
  @inlinable
  public mutating func readVarint() throws(ByteError) -> UInt64 {
    var integer: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try readByte()
      if shift == 63, byte > 1 { throw .numberTooLarge }
      integer |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return integer }
      shift &+= 7
    }
  }

  /// Reads a text: its length, then its UTF-8.
  ///
  /// - Errors: ``ByteError/ended``, and ``ByteError/invalidText`` if it is no UTF-8.
  /// - Complexity: O(length).
  @inlinable
  public mutating func readString() throws(ByteError) -> String {
    guard let length = Int(exactly: try readVarint()) else { throw .ended }
    let start = try advance(by: length)
    guard let text = String(validating: bytes[start..<start &+ length], as: UTF8.self) else { throw .invalidText }
    return text
  }

  /// Reads bytes as they are.
  ///
  /// - Errors: ``ByteError/ended`` if there are less than `count`, or `count` is negative.
  /// - Complexity: O(count).
  @inlinable
  public mutating func readBytes(_ count: Int) throws(ByteError) -> [UInt8] {
    let start = try advance(by: count)
    return [UInt8](bytes[start..<start &+ count])
  }

  @inlinable
  mutating func readZigzag() throws(ByteError) -> Int64 {
    let integer = try readVarint()
    return Int64(bitPattern: integer >> 1) ^ -Int64(bitPattern: integer & 1)
  }

  /// The bytes of a length, which live as long as those of the reader.
  @inlinable
  mutating func readBuffer(_ count: Int) throws(ByteError) -> UnsafeRawBufferPointer {
    let start = try advance(by: count)
    return UnsafeRawBufferPointer(rebasing: bytes[start..<start &+ count])
  }

  /// Skips bytes, and returns where they begin.
  @inlinable
  mutating func advance(by count: Int) throws(ByteError) -> Int {
    guard count >= 0, count <= remaining else { throw .ended }
    let start = position
    position &+= count
    assert(position <= bytes.count, "bytes are read behind their end")
    return start
  }
}

/// Why a ``ByteReader`` could not read.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ByteError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There are not enough bytes left.
  case ended
  /// An integer does not fit into its type.
  case numberTooLarge
  /// A text is no UTF-8.
  case invalidText
  /// A number or a text stands for none of the cases of a type.
  case unknownCase

  /// A sentence in English.
  public var description: String {
    switch self {
    case .ended: "the bytes end early"
    case .numberTooLarge: "an integer is too large for its type"
    case .invalidText: "a text is no UTF-8"
    case .unknownCase: "a number or a text stands for no case of its type"
    }
  }
}
