#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What is read in place out of bytes that have come, without making texts of them.
extension UnsafeRawBufferPointer {
  /// Where a byte is first, as the C library finds it, which looks at many at once.
  func firstIndex(of byte: Int32, from start: Int, to end: Int) -> Int? {
    assert(0 <= start && end <= count, "The search is in the bytes.")
    guard start < end, let base = baseAddress, let found = memchr(base + start, byte, end - start) else { return nil }
    return found - UnsafeMutableRawPointer(mutating: base)
  }

  /// Whether these bytes stand at a position.
  func has(_ text: StaticString, at position: Int) -> Bool {
    guard position + text.utf8CodeUnitCount <= count, let base = baseAddress else { return false }
    return memcmp(base + position, text.utf8Start, text.utf8CodeUnitCount) == 0
  }

  /// The number that decimal digits write; `nil` if there is none, another character, or a number that is too large.
  package func decimal(from start: Int, to end: Int) -> Int? {
    guard start < end else { return nil }
    assert(0 <= start && end <= count, "The digits are in the bytes.")
    var number = 0
    for index in start..<end {
      let digit = Int(self[index]) - 48
      let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
      guard 0...9 ~= digit, !isTooLarge, tens <= .max - digit else { return nil }
      number = tens + digit
    }
    return number
  }
}
