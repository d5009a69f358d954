extension String {
  /// The first characters, with `…` if there are more, at most `length` in all.
  func clipped(to length: Int) -> String {
    // A character has a byte at least.
    if length > 0, utf8.count <= length { return self }
    guard length > 0, let end = index(startIndex, offsetBy: length, limitedBy: endIndex), end != endIndex else {
      return length > 0 ? self : ""
    }
    return prefix(length - 1) + "…"
  }

  /// On one line, as it is shown beside other texts: what breaks a line, cannot be seen, or changes the direction of
  /// the text behind it, is written as an escape.
  var oneLine: String {
    if isPlainASCII { return self }
    guard unicodeScalars.contains(where: \.isDisruptive) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.isDisruptive: text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The columns that a terminal needs for the text; approximately, as terminals do not agree.
  package var columns: Int {
    isPlainASCII ? utf8.count : reduce(0) { $0 + $1.columns }
  }

  /// The first columns, with `…` if there is more.
  package func cut(to width: Int) -> String {
    if utf8.count <= width, isPlainASCII { return self }
    var (text, used) = ("", 0)
    for character in self {
      if used + character.columns > width {
        while used + 1 > width, let last = text.popLast() { used -= last.columns }
        return width > 0 ? text + "…" : ""
      }
      text.append(character)
      used += character.columns
    }
    return text
  }

  /// Cut to so many columns, and filled up with spaces behind.
  package func fitted(to width: Int) -> String {
    let text = cut(to: width)
    return text + String(repeating: " ", count: max(0, width - text.columns))
  }

  /// Filled up with spaces in front.
  package func rightAligned(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - columns)) + self
  }
}

extension Character {
  /// Two for emoji, and for the letters of East Asia.
  fileprivate var columns: Int {
    unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
        0xFFE0...0xFFE6, 0x20000...0x3FFFF:
        true
      default: scalar.properties.isEmojiPresentation || scalar.value == 0xFE0F
      }
    } ? 2 : 1
  }
}

extension Unicode.Scalar {
  /// Whether a scalar breaks a line, is a control character, or sets a direction.
  fileprivate var isDisruptive: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF: true
    default: false
    }
  }
}
