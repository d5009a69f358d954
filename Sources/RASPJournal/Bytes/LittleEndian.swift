extension UnsafeRawBufferPointer {
  /// The integer at an offset, in little endian. The caller has checked that all its bytes are there.
  func integer<Integer: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ type: Integer.Type) -> Integer {
    assert(offset >= 0 && offset + MemoryLayout<Integer>.size <= count, "an integer outside of its bytes")
    return Integer(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// A part of the bytes. The caller has checked that it is there.
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes an integer at an offset, in little endian. The caller has checked that there is room.
  func put<Integer: FixedWidthInteger & BitwiseCopyable>(_ integer: Integer, at offset: Int) {
    assert(offset >= 0 && offset + MemoryLayout<Integer>.size <= count, "an integer outside of its bytes")
    storeBytes(of: integer.littleEndian, toByteOffset: offset, as: Integer.self)
  }
}
