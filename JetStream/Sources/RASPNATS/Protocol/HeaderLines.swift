/// Reads the lines of a block of headers in place, without copying.
///
/// It lives no longer than the pointer that it was given.
struct HeaderLines {
  /// How the first line begins.
  static let version = "NATS/1.0"

  private var rest: Slice<UnsafeRawBufferPointer>
  private let first: Slice<UnsafeRawBufferPointer>

  init(block: UnsafeRawBufferPointer) {
    rest = block[...]
    first = Self.line(of: &rest)
  }

  /// What stands behind the version in the first line: `NATS/1.0 503 No Responders`.
  var status: (code: Int, text: String)? {
    let words = first.dropFirst(Self.version.utf8.count).drop { $0 == 32 }
    let digits = words.prefix { $0 >= 48 && $0 <= 57 }
    guard digits.count == 3 else { return nil }
    let code = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
    let text = words.dropFirst(3).drop { $0 == 32 }
    return (code, String(decoding: text, as: UTF8.self))
  }

  /// The next header, without the spaces around its text; `nil` at the end.
  mutating func next() -> (name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>)? {
    while !rest.isEmpty {
      let line = Self.line(of: &rest)
      guard let colon = line.firstIndex(of: 58) else { continue }
      var value = line[line.index(after: colon)...].drop { $0 == 32 || $0 == 9 }
      while let last = value.last, last == 32 || last == 9 {
        value = value.dropLast()
      }
      return (line[..<colon], value)
    }
    return nil
  }

  func first(named name: String) -> String? {
    var lines = self
    while let line = lines.next() {
      if line.name.elementsEqual(name.utf8) {
        return String(decoding: line.value, as: UTF8.self)
      }
    }
    return nil
  }

  private static func line(of rest: inout Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
    let end = rest.firstIndex(of: 10) ?? rest.endIndex
    let line = rest[..<end]
    rest = end == rest.endIndex ? rest[end...] : rest[(end + 1)...]
    return line.last == 13 ? line.dropLast() : line
  }
}
