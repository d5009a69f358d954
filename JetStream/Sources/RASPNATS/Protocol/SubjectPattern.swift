#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A subject with which those of messages are compared, byte by byte. A word may be `*`, and the last one `>`.
struct SubjectPattern: Sendable {
  private let bytes: [UInt8]
  private let hasWildcards: Bool

  init(_ pattern: String) {
    bytes = Array(pattern.utf8)
    hasWildcards = !SubjectRules.isSubject(pattern)
  }

  /// - Complexity: O(bytes of the subject), without an allocation.
  func matches(_ subject: UnsafeRawBufferPointer) -> Bool {
    if !hasWildcards { return subject.count == bytes.count && subject.elementsEqual(bytes) }
    var position = 0
    var index = 0
    while index < bytes.count {
      let startsWord = index == 0 || bytes[index - 1] == UInt8(ascii: ".")
      let endsWord = index + 1 == bytes.count || bytes[index + 1] == UInt8(ascii: ".")
      switch bytes[index] {
      case UInt8(ascii: ">") where startsWord && index + 1 == bytes.count:
        return position < subject.count
      case UInt8(ascii: "*") where startsWord && endsWord:
        let start = position
        while position < subject.count, subject[position] != UInt8(ascii: ".") { position += 1 }
        if position == start { return false }
      case let byte:
        guard position < subject.count, subject[position] == byte else { return false }
        position += 1
      }
      index += 1
    }
    return position == subject.count
  }
}

/// The beginning of subjects.
struct SubjectPrefix: Sendable {
  let text: String
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  var count: Int { bytes.count }

  /// Whether a subject begins with it and goes on.
  func begins(_ subject: UnsafeRawBufferPointer, to end: Int) -> Bool {
    guard bytes.count < end, end <= subject.count, let base = subject.baseAddress else { return false }
    return bytes.withUnsafeBytes { memcmp(base, $0.baseAddress ?? base, bytes.count) == 0 }
  }
}
