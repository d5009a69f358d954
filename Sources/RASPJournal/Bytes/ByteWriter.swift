/// Bytes that a ``Coding`` by hand appends to: numbers in little endian, text in UTF-8.
///
/// Safe to share: it owns its memory alone, and cannot be copied.
public struct ByteWriter: ~Copyable, @unchecked Sendable {
  /// The first `end` bytes of the memory are written.
  @usableFromInline var start: UnsafeMutableRawPointer
  @usableFromInline var capacity: Int
  @usableFromInline var end = 0

  @usableFromInline
  package init(capacity: Int = 64) {
    self.capacity = capacity
    start = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    start.deallocate()
  }

  /// The number of bytes so far.
  @inlinable public var count: Int { end }

  /// Appends one byte.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public mutating func append(_ byte: UInt8) {
    makeRoom(for: 1).storeBytes(of: byte, as: UInt8.self)
  }

  /// Appends an integer with as many bytes as its type has.
  ///
  /// - Complexity: O(1), amortised.
  @inlinable
  public mutating func append<Integer: FixedWidthInteger>(_ integer: Integer) {
    withUnsafeBytes(of: integer.littleEndian) { append($0) }
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
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a text: its length as a varint, then its UTF-8.
  ///
  /// - Complexity: O(length).
  @inlinable
  public mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      appendVarint(UInt64(utf8.count))
      append(UnsafeRawBufferPointer(utf8))
    }
  }

  /// Appends bytes as they are, without their number.
  ///
  /// - Complexity: O(count).
  @inlinable
  public mutating func append(contentsOf more: some Sequence<UInt8>) {
    let isContiguous: Void? = more.withContiguousStorageIfAvailable { append(UnsafeRawBufferPointer($0)) }
    if isContiguous == nil { for byte in more { append(byte) } }
  }

  /// Appends a signed integer so that those near zero take one byte: 0, -1, 1, -2 … are written as 0, 1, 2, 3 …
  @inlinable
  mutating func appendZigzag(_ integer: Int64) {
    appendVarint(UInt64(bitPattern: integer << 1 ^ integer >> 63))
  }

  @inlinable
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    makeRoom(for: bytes.count).copyMemory(from: source, byteCount: bytes.count)
  }

  /// Counts bytes as written.
  ///
  /// - Returns: where they are to be written.
  @inlinable
  @inline(__always)
  mutating func makeRoom(for more: Int) -> UnsafeMutableRawPointer {
    assert(more >= 0, "less than no bytes")
    if more > capacity &- end { grow(by: more) }
    let room = start + end
    end &+= more
    return room
  }

  @usableFromInline
  mutating func grow(by more: Int) {
    capacity = max(count + more, capacity * 2)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    grown.copyMemory(from: start, byteCount: count)
    start.deallocate()
    start = grown
    assert(capacity - end >= more, "less memory than is needed")
  }
}

extension ByteWriter {
  /// The bytes as a copy.
  package var bytes: [UInt8] { [UInt8](buffer) }

  /// The bytes themselves, until the writer is changed or gone.
  var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// The bytes from an offset on, to be changed before the writer is changed or gone.
  func mutableBuffer(from offset: Int) -> UnsafeMutableRawBufferPointer {
    assert(offset >= 0 && offset <= count, "a part outside of the bytes")
    return UnsafeMutableRawBufferPointer(start: start + offset, count: count - offset)
  }

  @inlinable
  package mutating func removeAll() { end = 0 }

  /// Removes bytes from the beginning. Those behind move up.
  mutating func removeFirst(_ removed: Int) {
    assert(removed >= 0 && removed <= count, "more bytes are removed than there are")
    start.copyMemory(from: start + removed, byteCount: count - removed)
    end -= removed
  }
}
